#include "cli/shorten.h"

#include <stdio.h>

#include "auto/portfolio.h"
#include "engine/verdict_bytes.h"
#include "explore/explore.h"
#include "reach/reach.h"

#define SECONDS 1.0 /* of processor time, or a tenth of what it took to find the violation */

static bool look_under_sc(struct session *session, const struct engine *engine, const struct program *program,
                          double seconds, struct verdict *verdict) {
    struct task task = session_task(session);
    struct limits limits = session->limits;
    task.program = program;
    task.machine.model = MODEL_SC;
    task.limits = &limits;
    task.unroll = 0;
    task.jobs = 1;
    limits.until_cpu = limits_cpu() + seconds;
    if (engine_refusal(engine, &task)) {
        return false;
    }
    engine_run(engine, &task, verdict);
    return verdict->word == VERDICT_VIOLATION || (verdict->word == VERDICT_SAFE && !verdict->bounds[0]);
}

/* Has SC the error?  If so, the shorter execution begins from that of SC. */
static bool ask_sc(struct session *session, const struct program *program, double seconds, struct verdict *verdict,
                   struct shortest_task *task, struct shortest *shortest) {
    static const struct engine *const engines[] = {&engine_reach, &engine_explore};
    bool good = true;
    for (unsigned i = 0; i < 2 && shortest->sc == NOT_KNOWN && !limits_reached(&session->limits); i++) {
        struct verdict sc;
        verdict_init(&sc);
        if (look_under_sc(session, engines[i], program, seconds / 2, &sc)) {
            if (sc.word == VERDICT_SAFE) {
                shortest->sc = KNOWN_FALSE;
            } else if (shortest_adopt_sc(program, &sc.witness, verdict)) {
                struct shortest confined;
                shortest_init(&confined);
                task->witness = &verdict->witness;
                task->confined = true;
                shortest_find(task, &confined);
                good = !confined.found || shortest_adopt(&confined, program, verdict);
                shortest->cost = confined.cost;
                shortest->found = true;
                shortest->sc = KNOWN_TRUE;
                shortest_delete(&confined);
            }
        }
        verdict_delete(&sc);
    }
    return good;
}

/* --- In a child --------------------------------------------------------------------------------------------------- */

struct shortening {
    struct session *session;
    const struct program *program;
    struct verdict *verdict;
    struct shortest *shortest;
};

static void find(struct session *session, const struct program *program, struct verdict *verdict,
                 struct shortest *shortest) {
    const struct options *options = session->options;
    double tenth = verdict->time_s / 10;
    double seconds = options->reach.shortest ? 0 : tenth > SECONDS ? tenth : SECONDS;
    struct shortest_task task = {
        .program = program,
        .witness = &verdict->witness,
        .limits = &session->limits,
        .seconds = seconds,
        .memory_mb = options->memory_mb / 4,
    };
    shortest_find(&task, shortest);
    bool good = !shortest->found || shortest_adopt(shortest, program, verdict);
    if (good && shortest->sc == NOT_KNOWN && seconds > 0) {
        good = ask_sc(session, program, seconds, verdict, &task, shortest);
    }
    if (!good) {
        verdict->word = VERDICT_DEFECT;
    }
}

static void find_in_child(void *data, struct child *child) {
    const struct shortening *shortening = data;
    struct session session = *shortening->session;
    struct shortest shortest;
    struct vector bytes;
    session.limits = child->limits;
    session.progress = child->progress;
    shortest_init(&shortest);
    find(&session, shortening->program, shortening->verdict, &shortest);
    bytes_init(&bytes);
    verdict_put(&bytes, shortening->verdict);
    bytes_put(&bytes, &shortest, sizeof shortest);
    child_send(child, &bytes);
    vector_delete(&bytes);
    shortest_delete(&shortest);
}

static enum answer_class adopt(void *data, size_t member, const void *bytes, size_t size, const char **defect) {
    struct shortening *shortening = data;
    struct bytes_reader reader = {.next = bytes, .left = size};
    struct vector steps = shortening->shortest->steps;
    struct verdict verdict;
    (void)member;
    verdict_init(&verdict);
    bool good = verdict_get(&reader, &verdict);
    bytes_get(&reader, shortening->shortest, sizeof *shortening->shortest);
    shortening->shortest->steps = steps; /* the verdict has them */
    if (!good || reader.short_of || !witness_replays(&verdict.witness, shortening->program)) {
        *defect = "found a shorter execution that does not replay";
    } else {
        struct verdict found = *shortening->verdict;
        *shortening->verdict = verdict;
        verdict = found;
    }
    verdict_delete(&verdict);
    return ANSWER_CONCLUSIVE;
}

bool shorten(struct session *session, const struct program *program, struct verdict *verdict, struct shortest *shortest,
             char *defect, size_t size) {
    struct shortening shortening = {session, program, verdict, shortest};
    struct member member = {.name = "shorten", .threads = 1, .run = find_in_child, .data = &shortening};
    struct portfolio portfolio = {
        .members = &member,
        .count = 1,
        .jobs = 1,
        .limits = &session->limits,
        .progress = &session->progress,
        .judge = adopt,
        .data = &shortening,
    };
    bool found = portfolio_run(&portfolio) == PORTFOLIO_WON;
    snprintf(defect, size, "%s", portfolio.results[0].defect);
    portfolio_delete(&portfolio);
    return found;
}
