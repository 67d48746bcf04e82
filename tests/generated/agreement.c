/* Generated programs on which `explore` must agree with `brute`.
 *
 *     unit_agreement_N                    the Nth part of the fixed list of seeds
 *     unit_agreement_N SEED...            only these programs
 *     unit_agreement_N --from A --to B    only the programs of this range
 *     unit_agreement_N --list A B         one line for each program of this range that does not agree
 *
 * For every program and every model the Shasha-Snir traces that `explore` visits must be those that `brute` finds among
 * all interleavings: the same complete ones, the same blocked ones, each visited once, none begun in vain.  Source-DPOR
 * finds the same set, and so do several threads, on every fourth program.  With `--check races` for half of the
 * programs of each topic, and `--check leaks` for the others, both must find an error or none.  A program that does not
 * agree is cut down as far as it still does not, and printed. What `brute` cannot decide within its limits says
 * nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/brute.h"
#include "explore/explore.h"
#include "part.h"
#include "quiet_task.h"
#include "seeds.h"
#include "wide_program.h"

#define PROGRAMS 2400
#define BATCH 50
#define CHILD_SECONDS 120
#define SECONDS 20 /* of one engine on one program */
#define MEGABYTES 1500
#define SEEDS_OF_A_KIND 50 /* about as many in a row as there are topics, which follow each other */

/* How to explore. */
static const struct way {
    const char *name;
    enum dpor dpor;
    uint32_t jobs;
} ways[] = {
    {"optimal", DPOR_OPTIMAL, 1},
    {"source", DPOR_SOURCE, 1},
    {"optimal on three threads", DPOR_OPTIMAL, 3},
    {"source on three threads", DPOR_SOURCE, 3},
};

/* --- One program -------------------------------------------------------------------------------------------------- */

struct subject {
    const struct wide_program *wide;
    const struct program *program;
    enum memory_model model;
    bool races;
    bool leaks;
};

static void run_engine(const struct engine *engine, const struct subject *subject, const struct way *way,
                       struct verdict *verdict) {
    struct quiet_task quiet;
    struct task *task = quiet_task_init(&quiet, subject->program, subject->model);
    quiet.limits.until = limits_now() + SECONDS;
    quiet.limits.memory_mb = MEGABYTES;
    task->machine.checks = (subject->races ? CHECK_FOR_RACES : 0) | (subject->leaks ? CHECK_FOR_LEAKS : 0);
    task->machine.spurious = subject->wide->spurious;
    struct explore_options explore = {.dpor = way->dpor};
    task_give(task, &engine_explore, &explore.common);
    task->jobs = way->jobs;
    task->collect = COLLECT_TRACES;
    verdict_init(verdict);
    engine_run(engine, task, verdict);
}

static const char *differ(const struct verdict *brute, const struct verdict *explore, enum dpor dpor) {
    if (brute->word != explore->word) {
        return "verdicts";
    }
    if (brute->word != VERDICT_SAFE) {
        return NULL;
    }
    if (brute->collected.traces != explore->collected.traces || brute->collected.digest != explore->collected.digest) {
        return "traces";
    }
    if (brute->collected.blocked != explore->collected.blocked) {
        return "blocked traces";
    }
    if (dpor == DPOR_SOURCE) {
        return NULL;
    }
    if (explore->traces != explore->collected.traces) {
        return "a trace visited more than once";
    }
    if (explore->blocked != explore->collected.blocked) {
        return "a blocked trace visited more than once";
    }
    return explore->redundant > 0 ? "a redundant execution" : NULL;
}

static void print_counts(const char *name, const struct verdict *verdict) {
    static const char *const words[] = {"safe", "violation", "undecided", "defect"};
    fprintf(stderr, "  %-8s %s, %llu executions, %llu traces, %llu blocked (%llu traces), %llu redundant %s%s\n", name,
            words[verdict->word], (unsigned long long)verdict->traces, (unsigned long long)verdict->collected.traces,
            (unsigned long long)verdict->blocked, (unsigned long long)verdict->collected.blocked,
            (unsigned long long)verdict->redundant, verdict->reason,
            verdict->word == VERDICT_VIOLATION ? error_names[verdict->error.kind] : "");
}

static void print_difference(const struct subject *subject, const char *what, const char *name,
                             const struct verdict *brute, const struct verdict *explore) {
    fprintf(stderr, "seed %llu, model %s: %s\n", (unsigned long long)subject->wide->seed, model_names[subject->model],
            what);
    print_counts("brute", brute);
    print_counts(name, explore);
}

/* Does the program agree under the model?  If told to, says how it does not. */
static bool agrees(const struct wide_program *wide, enum memory_model model, bool loud) {
    struct program program;
    struct verdict brute;
    bool good = true;
    wide_build(wide, &program);
    const struct subject subject = {.wide = wide, .program = &program, .model = model};
    run_engine(&engine_brute, &subject, &ways[0], &brute);
    for (const struct way *way = ways; way < ways + sizeof ways / sizeof *ways; way++) {
        struct verdict explore;
        if (brute.word == VERDICT_UNDECIDED || (way->jobs > 1 && wide->seed % 4 != 1)) {
            continue; /* threads cost more to start than these programs take */
        }
        run_engine(&engine_explore, &subject, way, &explore);
        const char *what = differ(&brute, &explore, way->dpor);
        good = good && !what;
        if (what && loud) {
            print_difference(&subject, what, way->name, &brute, &explore);
        }
        verdict_delete(&explore);
    }
    verdict_delete(&brute);
    program_delete(&program);
    return good;
}

/* Is a data race or a leak, or another error, found by both or by none? */
static bool agrees_on_more(const struct wide_program *wide, enum memory_model model, bool loud) {
    struct program program;
    struct verdict brute;
    struct verdict explore;
    bool races = wide->seed / SEEDS_OF_A_KIND % 2 == 0;
    wide_build(wide, &program);
    const struct subject subject = {.wide = wide, .program = &program, .model = model, .races = races, .leaks = !races};
    run_engine(&engine_brute, &subject, &ways[0], &brute);
    run_engine(&engine_explore, &subject, &ways[0], &explore);
    bool good = brute.word == explore.word || brute.word == VERDICT_UNDECIDED;
    if (!good && loud) {
        print_difference(&subject, races ? "data races" : "leaks", "explore", &brute, &explore);
    }
    verdict_delete(&explore);
    verdict_delete(&brute);
    program_delete(&program);
    return good;
}

/* --- Many programs, where one may crash --------------------------------------------------------------------------- */

/* A list of programs, by seed, or a single one as it is. */
struct job {
    uint64_t from;
    uint64_t to; /* exclusive */
    const struct wide_program *wide;
    int model; /* MODEL_COUNT: all */
    bool loud;
};

static bool job_agrees(const struct job *job) {
    for (uint64_t seed = job->from; seed < job->to; seed++) {
        struct wide_program drawn;
        if (!job->wide) {
            wide_draw(&drawn, seed, WIDE_ALL);
        }
        for (int model = 0; model < MODEL_COUNT; model++) {
            if ((job->model == MODEL_COUNT || job->model == model) &&
                (!agrees(job->wide ? job->wide : &drawn, (enum memory_model)model, job->loud) ||
                 !agrees_on_more(job->wide ? job->wide : &drawn, (enum memory_model)model, job->loud))) {
                return false;
            }
        }
    }
    return true;
}

/* In a process of its own, so that a failed assertion in the engine is one more kind of disagreement. */
static bool job_passes(const struct job *job) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        alarm(CHILD_SECONDS);
        if (!job->loud && (!freopen("/dev/null", "w", stderr))) {
            _exit(2);
        }
        _exit(job_agrees(job) ? 0 : 1);
    }
    int status = 1;
    waitpid(child, &status, 0);
    if (job->loud && WIFSIGNALED(status)) {
        fprintf(stderr, "seed %llu: signal %d\n", (unsigned long long)job->from, WTERMSIG(status));
    }
    return status == 0;
}

/* One program and model after the other, each with all that differs. */
static unsigned list_range(uint64_t from, uint64_t end) {
    unsigned failures = 0;
    for (uint64_t seed = from; seed < end; seed++) {
        if (job_passes(&(struct job){.from = seed, .to = seed + 1, .model = MODEL_COUNT})) {
            continue;
        }
        struct wide_program wide;
        failures++;
        wide_draw(&wide, seed, WIDE_ALL);
        fprintf(stderr, "== %s\n", wide.topic);
        for (int model = 0; model < MODEL_COUNT; model++) {
            job_passes(&(struct job){.from = seed, .to = seed + 1, .model = model, .loud = true});
        }
    }
    return failures;
}

/* Takes away what can go while the program still does not agree. */
static void minimise(struct wide_program *wide, int model) {
    bool changed = true;
    while (changed) {
        changed = false;
        for (unsigned change = 0; change < wide_changes(wide); change++) {
            struct wide_program smaller = *wide;
            struct job job = {.from = wide->seed, .to = wide->seed + 1, .wide = &smaller, .model = model};
            if (wide_change(&smaller, change) && !job_passes(&job)) {
                *wide = smaller;
                changed = true;
                break;
            }
        }
    }
}

static void explain(uint64_t seed) {
    for (int model = 0; model < MODEL_COUNT; model++) {
        struct wide_program wide;
        wide_draw(&wide, seed, WIDE_ALL);
        struct job job = {.from = seed, .to = seed + 1, .wide = &wide, .model = model};
        if (!job_passes(&job)) {
            minimise(&wide, model);
            fprintf(stderr, "%s:\n", model_names[model]);
            wide_print(&wide, stderr);
            job.loud = true;
            job_passes(&job);
            return;
        }
    }
}

static bool all_agree(uint64_t from, uint64_t end) {
    return job_passes(&(struct job){.from = from, .to = end, .model = MODEL_COUNT});
}

static void show(uint64_t seed) {
    struct wide_program wide;
    wide_draw(&wide, seed, WIDE_ALL);
    wide_print(&wide, stdout);
}

static const struct seeds_test seeds = {BATCH, all_agree, explain};

static void explore_agrees_with_brute(void **state) {
    (void)state;
    assert_int_equal(seeds_check(&seeds, part_first(PROGRAMS), part_last(PROGRAMS) + 1), 0);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(explore_agrees_with_brute)};
    if (argc == 4 && !strcmp(argv[1], "--list")) {
        unsigned failures = list_range(strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10) + 1);
        printf("%u do not agree\n", failures);
        return failures > 0;
    }
    int code = seeds_from_arguments(&seeds, argc, argv, show);
    if (code >= 0) {
        return code;
    }
    printf("seeds %llu to %llu\n", (unsigned long long)part_first(PROGRAMS), (unsigned long long)part_last(PROGRAMS));
    return cmocka_run_group_tests_name("agreement", tests, NULL, NULL);
}
