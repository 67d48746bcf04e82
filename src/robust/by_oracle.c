/* Robustness by the oracle's search of states (reach/oracle.h). */
#include "robust/robust.h"

#include <stdio.h>
#include <stdlib.h>

#include "reach/oracle.h"
#include "reach/shorten.h"

#define LONG_PATH 150u

static int shorter_first(const void *one, const void *other) {
    size_t a = ((const struct oracle_witness *)one)->path.count;
    size_t b = ((const struct oracle_witness *)other)->path.count;
    return a < b ? -1 : a > b;
}

/* The greatest length of an execution that is kept besides one of this length: finding the cycle of a longer one takes
 * more time than it saves. */
static size_t longest_beside(size_t length) {
    return 4 * length + 100;
}

static void run(const struct task *task, bool several, struct answer *answer) {
    struct verdict *verdict = &answer->verdict;
    struct oracle_task question = {
        .program = task->program,
        .machine = task->machine,
        .limits = task->limits,
        .progress = task->progress,
        .jobs = task->jobs,
        .every_pair = several,
    };
    struct oracle_result result;
    struct assumptions assumptions;
    double start = limits_now();
    assumptions_init(&assumptions, &task->machine);
    question.machine.assumed = &assumptions;
    oracle_result_init(&result);
    oracle_run(&question, &result);
    progress_end(task->progress);
    verdict->time_s = limits_now() - start;
    verdict->states = result.states;
    verdict->queries = result.queries;
    answer->engine = robust_by_oracle.name;
    if (result.answer == ORACLE_ROBUST) {
        verdict_set_safe(verdict, task, result.met | (result.cut ? MET_CUT : 0));
    } else if (result.answer == ORACLE_NOT_ROBUST) {
        struct machine_options options = oracle_machine_options(&task->machine);
        struct oracle_witness *witnesses = result.witnesses.data;
        qsort(witnesses, result.witnesses.count, sizeof *witnesses, shorter_first);
        if (witnesses[0].path.count > LONG_PATH) {
            path_shorten(task->program, &options, witnesses[0].before, true, &witnesses[0].path);
        }
        for (size_t i = 0; i < result.witnesses.count; i++) {
            const struct oracle_witness *witness = &witnesses[i];
            if (i > 0 &&
                (witness->path.count > longest_beside(witnesses[0].path.count) || limits_reached(task->limits))) {
                break;
            }
            answer_add_cyclic(answer, task->program, &witness->path, &options, several);
        }
    } else {
        snprintf(verdict->reason, sizeof verdict->reason, "%s", result.reason);
    }
    verdict_add_assumptions(verdict, task->program, &assumptions);
    oracle_result_delete(&result);
}

const struct answerer robust_by_oracle = {.name = "oracle", .run = run, .shares = true};
