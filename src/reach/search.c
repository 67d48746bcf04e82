/* Which way to search, and what both ways share. */
#include "reach/search.h"

#include <string.h>

#include "reach/components.h"
#include "reach/walk.h"

void search_result_init(struct search_result *result) {
    memset(result, 0, sizeof *result);
    vector_init(&result->path, sizeof(struct transition));
}

void search_result_delete(struct search_result *result) {
    vector_delete(&result->path);
}

void search_count_end(const struct search_task *task, struct search_result *result, struct machine *machine,
                      enum outcome outcome) {
    switch (outcome) {
    case OUTCOME_COMPLETE:
        result->complete++;
        break;
    case OUTCOME_BLOCKED:
    case OUTCOME_ASSUME:
        result->blocked++;
        break;
    case OUTCOME_CUT:
        result->cut++;
        break;
    case OUTCOME_RUNAWAY:
        result->runaway++;
        break;
    default:
        break;
    }
    result->stale = result->stale || machine_met_stale(machine);
    if (task->final) {
        task->final(task->final_data, machine, outcome);
    }
}

bool search_must_stop(const struct search_task *task, struct search_result *result) {
    if (task->most_states > 0 && result->states >= task->most_states) {
        result->end = SEARCH_LIMIT;
        result->reason = "the limit on the number of states was reached";
        return true;
    }
    if (task->limits && limits_reached(task->limits)) {
        result->end = SEARCH_LIMIT;
        return true;
    }
    return false;
}

void search_show_progress(const struct search_task *task, const struct search_result *result) {
    if (task->progress && progress_due(task->progress)) {
        progress_show(task->progress, "%llu states, %llu transitions", (unsigned long long)result->states,
                      (unsigned long long)result->transitions);
    }
}

void search_run(const struct search_task *task, struct search_result *result) {
    result->end = SEARCH_EXHAUSTED;
    if (task->on_machine || task->hooks || !components_run(task, result)) {
        walk_run(task, result);
    }
}
