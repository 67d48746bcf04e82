/* Chooses the kind of search; what both kinds share. */
#include "reach/search.h"

#include <string.h>

#include "ir/sync.h"
#include "reach/breadth.h"
#include "reach/machine_search.h"

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
    result->met |= machine_met(machine);
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
    const struct search_hooks *hooks = task->hooks;
    if ((task->limits && limits_reached(task->limits)) ||
        (hooks && hooks->stops && hooks->stops(hooks->data, result))) {
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

void search_settle_path(const struct search_task *task, struct search_result *result, const struct machine *machine) {
    struct machine_options options = task->machine;
    struct machine *fresh = machine_new(task->program, &options);
    for (size_t i = 0; i < result->path.count; i++) {
        struct transition *transition = vector_at(&result->path, i);
        int64_t slot = machine_thread_numbered(fresh, machine_thread_number(machine, transition->thread));
        transition->thread = (uint32_t)slot;
        if (slot < 0 || !machine_is_enabled(fresh, *transition)) {
            break; /* replaying the witness will show the error */
        }
        machine_take(fresh, *transition);
    }
    if (!result->goal && machine_outcome(fresh) == OUTCOME_ERROR) {
        result->error = *machine_error(fresh);
    }
    machine_free(fresh);
}

bool search_drains_first(void *data, struct machine *machine, struct transition transition, const uint8_t *monitor) {
    (void)data;
    (void)monitor;
    if (transition.kind == TRANSITION_DRAIN) {
        return true;
    }
    for (uint32_t t = 0; t < machine_threads(machine); t++) {
        const struct buffer_entry *entries;
        if (machine_thread_exists(machine, t) && machine_buffer(machine, t, &entries) > 0) {
            return false;
        }
    }
    return true;
}

/* Do waiting loops only read?  Then reads that would fail can simply be disabled, and states need not contain whether
 * memory has changed. */
static bool awaits_are_plain(const struct program *program) {
    for (size_t i = 0; i < program->code_count; i++) {
        const struct instruction *instruction = &program->code[i];
        if (instruction->op == OP_ATOMIC_BEGIN || (instruction->op == OP_SYNC && sync_tries(instruction->width))) {
            return false;
        }
    }
    return true;
}

void search_run(const struct search_task *task, struct search_result *result) {
    result->end = SEARCH_EXHAUSTED;
    result->awaits = task->machine.awaits;
    /* A race consists of two steps that are enabled at once, which a tuple does not show. */
    if (!task->on_machine && !task->hooks && !(task->machine.checks & CHECK_FOR_RACES) &&
        task->machine.model == MODEL_SC) {
        struct search_task changed = *task;
        if (task->machine.awaits == AWAIT_SPIN && awaits_are_plain(task->program)) {
            changed.machine.awaits = result->awaits = AWAIT_BLOCK;
        }
        if (breadth_run(&changed, result)) {
            return;
        }
        result->awaits = task->machine.awaits;
    }
    machine_search_run(task, result);
}
