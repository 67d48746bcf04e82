/* Robustness is decided by robustness.h, triangular races by triangular.h.  An error is looked for by the search of
 * states on the machine, by `explore` and, under TSO, by `lazy`: they take turns, each time for twice as long, and the
 * first to answer is believed.  The search ends where states are finitely many, buffers included; `explore` where
 * executions end; `lazy` needs neither, but does not always find an answer.  Under TSO, if none of them has answered
 * after some turns, robustness is asked for. */
#include "fence/question.h"

#include <stdio.h>
#include <stdlib.h>

#include "explore/explore.h"
#include "fence/triangular.h"
#include "reach/buffered.h"
#include "reach/lazy.h"
#include "reach/search.h"
#include "util/memory.h"

#define FIRST_TURN 1.0 /* seconds */
#define ENGINES 3u     /* that look for errors */
#define MOST_ROUNDS 2u /* of turns, before robustness is asked for */

const char *const goal_names[GOAL_COUNT] = {
    [GOAL_ROBUST] = "robustness", [GOAL_SAFETY] = "safety", [GOAL_TRIANGULAR] = "trf"};

void answer_init(struct answer *answer) {
    *answer = (struct answer){0};
    verdict_init(&answer->verdict);
    vector_init(&answer->executions, sizeof(struct execution));
}

void answer_delete(struct answer *answer) {
    verdict_delete(&answer->verdict);
    for (size_t i = 0; i < answer->executions.count; i++) {
        execution_delete(vector_at(&answer->executions, i));
    }
    vector_delete(&answer->executions);
}

/* --- Errors ------------------------------------------------------------------------------------------------------- */

static bool ends_in_error(const struct program *program, const struct execution *execution) {
    struct machine *machine = execution_run(program, execution, NULL, NULL);
    bool good = machine && machine_outcome(machine) == OUTCOME_ERROR;
    if (machine) {
        machine_free(machine);
    }
    return good;
}

/* The witness as an execution. */
static void add_witness(struct answer *answer, const struct program *program) {
    const struct witness *witness = &answer->verdict.witness;
    struct execution execution = {.machine = witness_machine_options(witness)};
    struct machine *machine = machine_new(program, &execution.machine);
    bool good = true;
    vector_init(&execution.path, sizeof(struct transition));
    for (size_t i = 0; good && i < witness->steps.count; i++) {
        struct transition next;
        good = witness_transition(witness, i, machine, &next) && machine_is_enabled(machine, next);
        if (good) {
            vector_push(&execution.path, &next);
            machine_take(machine, next);
        }
    }
    machine_free(machine);
    vector_push(&answer->executions, &execution);
}

static void run_engine(const struct engine *engine, const struct task *task, struct answer *answer) {
    const char *refusal = engine->refuses ? engine->refuses(task) : NULL;
    answer->engine = engine->name;
    if (refusal) {
        verdict_refuse(&answer->verdict, "", 0, refusal);
        return;
    }
    engine_run(engine, task, &answer->verdict);
    if (answer->verdict.word == VERDICT_VIOLATION) {
        add_witness(answer, task->program);
    }
}

void answer_search(struct answer *answer, const struct task *task, const struct search_task *search,
                   struct search_result *result) {
    struct verdict *verdict = &answer->verdict;
    double start = limits_now();
    search_result_init(result);
    bool buffers = search->machine.model != MODEL_SC && !search->hooks;
    (buffers ? buffered_run : search_run)(search, result);
    progress_end(task->progress);
    verdict->time_s = limits_now() - start;
    verdict->states = result->states;
    answer->engine = "reach";
    if (result->end == SEARCH_FOUND) {
        struct execution execution = {.path = result->path, .machine = search->machine};
        vector_init(&result->path, sizeof(struct transition));
        vector_push(&answer->executions, &execution);
        verdict->word = VERDICT_VIOLATION;
    } else if (result->end == SEARCH_LIMIT || result->runaway > 0) {
        const char *reason = result->reason ? result->reason : limits_reason(task->limits);
        snprintf(verdict->reason, sizeof verdict->reason, "%s", reason ? reason : "a thread never comes to a step");
    } else {
        verdict_set_safe(verdict, task, result->met);
    }
}

static void run_search(const struct task *task, struct answer *answer) {
    struct search_task search = {
        .program = task->program,
        .machine = task->machine,
        .limits = task->limits,
        .progress = task->progress,
        .jobs = task->jobs,
        .shortest = true,
        .loose = true,
    };
    struct search_result result;
    search.machine.awaits = AWAIT_SPIN;
    answer_search(answer, task, &search, &result);
    if (answer->verdict.word == VERDICT_SAFE && result.complete == 0 && result.cut > 0) {
        answer->verdict.word = VERDICT_UNDECIDED;
        answer->verdict.bounded = false;
        verdict_set_incomplete(&answer->verdict, task, result.met);
    }
    search_result_delete(&result);
}

static bool is_open(const struct answer *answer) {
    return answer->verdict.word == VERDICT_UNDECIDED || answer->verdict.word == VERDICT_REFUSED;
}

static void forget_verdict(struct answer *answer) {
    verdict_delete(&answer->verdict);
    verdict_init(&answer->verdict);
}

static void ask_for_robustness(const struct task *task, struct answer *answer) {
    struct robustness robustness;
    robustness_init(&robustness);
    robustness_decide(task, ROBUSTNESS_TURNS, true, &robustness, &answer->verdict);
    answer->engine = robustness.engine;
    struct vector executions = answer->executions;
    answer->executions = robustness.executions;
    robustness.executions = executions;
    robustness_delete(&robustness);
}

/* No error under SC, and robust?  What is answered otherwise is about robustness. */
static void ask_for_more(const struct task *task, struct answer *answer) {
    struct answer sc;
    struct task question = *task;
    question.machine.model = MODEL_SC;
    answer_init(&sc);
    run_search(&question, &sc);
    forget_verdict(answer);
    if (sc.verdict.word == VERDICT_SAFE) {
        answer->by_robustness = true;
        ask_for_robustness(task, answer);
    }
    answer_delete(&sc);
}

static void ask_for_errors(const struct task *task, struct answer *answer) {
    if (task->machine.model == MODEL_SC) {
        run_search(task, answer);
        return;
    }
    bool ends = task->unroll > 0 || program_find_loops(task->program) == LOOPS_NONE;
    bool tso = task->machine.model == MODEL_TSO;
    const struct engine *order[ENGINES] = {ends ? &engine_explore : NULL, tso ? &engine_lazy : NULL,
                                           ends ? NULL : &engine_explore};
    double turn = FIRST_TURN;
    for (unsigned next = 0;; next++) {
        const struct engine *engine = order[next % ENGINES]; /* NULL: the search of states */
        forget_verdict(answer);
        if (next == ENGINES * MOST_ROUNDS && tso) {
            ask_for_more(task, answer);
            break;
        }
        task->limits->until = limits_now() + turn;
        task->limits->share_over = false;
        if (engine) {
            run_engine(engine, task, answer);
        } else {
            run_search(task, answer);
        }
        task->limits->share_over = false;
        task->limits->until = 0;
        if (!is_open(answer) || limits_reached(task->limits)) {
            break;
        }
        turn = (next + 1) % ENGINES == 0 ? 2 * turn : turn;
    }
    const char *reason = limits_reason(task->limits);
    if (reason && is_open(answer)) {
        answer->verdict.word = VERDICT_UNDECIDED;
        snprintf(answer->verdict.reason, sizeof answer->verdict.reason, "%s", reason);
    }
}

/* --- All questions ------------------------------------------------------------------------------------------------ */

bool question_is_shown(enum fence_goal goal, const struct program *program, const struct execution *execution) {
    switch (goal) {
    case GOAL_ROBUST:
        return execution_is_cyclic(program, execution, NULL, NULL);
    case GOAL_SAFETY:
        return ends_in_error(program, execution);
    default:
        return triangular_is_race(program, execution);
    }
}

void question_ask(enum fence_goal goal, const struct task *task, struct answer *answer) {
    if (goal == GOAL_ROBUST) {
        ask_for_robustness(task, answer);
    } else if (goal == GOAL_SAFETY) {
        ask_for_errors(task, answer);
    } else {
        triangular_ask(task, answer);
    }
    /* Cycles were seen when their executions were added. */
    bool seen = goal == GOAL_ROBUST || answer->by_robustness;
    for (size_t i = 0; !seen && answer->verdict.word == VERDICT_VIOLATION && i < answer->executions.count; i++) {
        if (!question_is_shown(goal, task->program, vector_at(&answer->executions, i))) {
            answer->verdict.word = VERDICT_DEFECT;
            snprintf(answer->verdict.reason, sizeof answer->verdict.reason, "an execution that does not replay");
        }
    }
}
