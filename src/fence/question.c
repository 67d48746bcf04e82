/* Decides goals.  Robustness is decided by robust/robust.h, triangular races by triangular.h.  Errors are searched for
 * by the search of states on the machine, by `explore` and, under TSO, by `lazy`, all at once (robust/panel.h); the
 * first answer counts.  The search ends if there are finitely many states, buffers included; `explore` if executions
 * end; `lazy` needs neither, but does not always find an answer.  Under TSO, if none of them has answered after some
 * time, robustness is decided instead. */
#include "fence/question.h"

#include <stdio.h>

#include "explore/explore.h"
#include "fence/triangular.h"
#include "reach/buffered.h"
#include "reach/lazy.h"
#include "reach/reach.h"
#include "robust/robust.h"

#define LAZY_AFTER 0.5 /* seconds */
#define ROBUSTNESS_AFTER 9.0

const char *const goal_names[GOAL_COUNT] = {
    [GOAL_ROBUST] = "robustness", [GOAL_SAFETY] = "safety", [GOAL_TRIANGULAR] = "trf"};

/* --- Errors ------------------------------------------------------------------------------------------------------- */

static bool ends_in_error(const struct program *program, const struct execution *execution) {
    struct machine *machine = execution_run(program, execution, NULL, NULL);
    bool good = machine && machine_outcome(machine) == OUTCOME_ERROR;
    if (machine) {
        machine_free(machine);
    }
    return good;
}

/* Adds the witness as an execution. */
static void add_witness(struct answer *answer, const struct program *program) {
    const struct witness *witness = &answer->verdict.witness;
    struct execution execution = {.machine = witness_machine_options(witness)};
    struct machine *machine = machine_new(program, &execution.machine);
    bool good = true;
    vector_init(&execution.path, sizeof(struct transition));
    for (size_t i = 0; good && i < witness->steps.count; i++) {
        struct transition next;
        good = witness_transition(witness, i, machine, &next);
        if (good) {
            vector_push(&execution.path, &next);
            machine_take(machine, next);
        }
    }
    machine_free(machine);
    vector_push(&answer->executions, &execution);
}

static void run_engine(const struct engine *engine, const struct task *task, struct answer *answer) {
    const char *refusal = engine_refusal(engine, task);
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
    struct assumptions assumptions;
    struct search_task noted = *search;
    assumptions_init(&assumptions, &task->machine);
    noted.machine.assumed = &assumptions;
    (buffers ? buffered_run : search_run)(&noted, result);
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
        snprintf(verdict->reason, sizeof verdict->reason, "%s",
                 reason ? reason : "a thread never reaches a visible step");
    } else {
        verdict_set_safe(verdict, task, result->met);
    }
    verdict_add_assumptions(verdict, task->program, &assumptions);
}

static void run_search(const struct task *task, bool several, struct answer *answer) {
    struct search_task search = search_of(task);
    struct search_result result;
    (void)several;
    search.shortest = search.abstract = true;
    answer_search(answer, task, &search, &result);
    if (answer->verdict.word == VERDICT_SAFE && verdict_lacks_executions(result.complete, result.cut, result.met)) {
        answer->verdict.word = VERDICT_UNDECIDED;
        answer->verdict.bounded = false;
        verdict_set_incomplete(&answer->verdict, task, result.met);
    }
    search_result_delete(&result);
}

static void forget_verdict(struct answer *answer) {
    verdict_delete(&answer->verdict);
    verdict_init(&answer->verdict);
}

/* Is there no error under SC, and is the program robust?  Any other answer is about robustness. */
static void run_robustness(const struct task *task, bool several, struct answer *answer) {
    struct answer sc;
    struct task question = *task;
    question.machine.model = MODEL_SC;
    answer_init(&sc);
    run_search(&question, several, &sc);
    if (sc.verdict.word == VERDICT_SAFE) {
        answer->by_robustness = true;
        robust_by_oracle.run(task, several, answer);
    } else {
        snprintf(answer->verdict.reason, sizeof answer->verdict.reason, "SC is not decided");
    }
    answer_delete(&sc);
}

static void run_explore(const struct task *task, bool several, struct answer *answer) {
    (void)several;
    run_engine(&engine_explore, task, answer);
}

static void run_lazy(const struct task *task, bool several, struct answer *answer) {
    (void)several;
    run_engine(&engine_lazy, task, answer);
}

/* --- All at once -------------------------------------------------------------------------------------------------- */

static enum answer_class classify(const struct program *program, const struct answer *answer, const char **defect) {
    switch (answer->verdict.word) {
    case VERDICT_SAFE:
        return ANSWER_CONCLUSIVE;
    case VERDICT_REFUSED:
        return ANSWER_REFUSED;
    case VERDICT_UNDECIDED:
        return answer->verdict.settled ? ANSWER_CONCLUSIVE : ANSWER_NOTHING;
    default:
        if (answer->verdict.word == VERDICT_DEFECT || answer->executions.count == 0 ||
            (!answer->by_robustness && !ends_in_error(program, vector_at(&answer->executions, 0)))) {
            *defect = "found a violation that does not replay";
        }
        return ANSWER_CONCLUSIVE;
    }
}

static void ask_for_errors(const struct task *task, struct answer *answer) {
    static const struct answerer answerers[] = {
        {.name = "reach", .run = run_search, .shares = true},
        {.name = "explore", .run = run_explore, .shares = true},
        {.name = "lazy", .run = run_lazy, .after = LAZY_AFTER},
        {.name = "oracle", .run = run_robustness, .after = ROBUSTNESS_AFTER},
    };
    if (task->machine.model == MODEL_SC) {
        run_search(task, true, answer);
        return;
    }
    struct panel panel = {task, answerers, task->machine.model == MODEL_TSO ? 4 : 2, true, classify};
    enum portfolio_end end = panel_ask(&panel, answer);
    if (end == PORTFOLIO_NONE) {
        run_explore(task, true, answer);
    } else if (end == PORTFOLIO_LIMIT) {
        forget_verdict(answer);
        snprintf(answer->verdict.reason, sizeof answer->verdict.reason, "%s", limits_reason(task->limits));
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
        robust_ask(&(struct robust_question){.task = task, .several = true}, answer);
    } else if (goal == GOAL_SAFETY) {
        ask_for_errors(task, answer);
    } else {
        triangular_ask(task, answer);
    }
    /* Cycles were found when their executions were added. */
    bool seen = goal == GOAL_ROBUST || answer->by_robustness;
    for (size_t i = 0; !seen && answer->verdict.word == VERDICT_VIOLATION && i < answer->executions.count; i++) {
        if (!question_is_shown(goal, task->program, vector_at(&answer->executions, i))) {
            answer->verdict.word = VERDICT_DEFECT;
            snprintf(answer->verdict.reason, sizeof answer->verdict.reason, "an execution that does not replay");
        }
    }
}
