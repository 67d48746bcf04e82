/* From a search to a verdict. */
#include "reach/reach.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/visited.h"
#include "machine/describe.h"
#include "reach/buffered.h"
#include "reach/search.h"
#include "reach/shorten.h"
#include "util/memory.h"

#define LONG_PATH 100u

/* Final shared states, each once. */
struct collector {
    const struct task *task;
    struct verdict *verdict;
    struct visited seen;
    uint8_t *buffer;
    size_t capacity;
};

static void collect_end(void *data, struct machine *machine, enum outcome outcome) {
    struct collector *collector = data;
    if (outcome != OUTCOME_COMPLETE) {
        return;
    }
    if (collector->task->final) {
        collector->task->final(collector->task->final_data, machine);
    }
    if (collector->task->collect != COLLECT_STATES) {
        return;
    }
    size_t size = machine_serialise_shared(machine, &collector->buffer, &collector->capacity);
    if (visited_add(&collector->seen, XXH3_128bits(collector->buffer, size))) {
        char *text = machine_shared_text(machine);
        vector_push(&collector->verdict->collected.texts, &text);
    }
}

static void set_bounds(const struct task *task, const struct search_result *result, struct verdict *verdict) {
    if (result->runaway > 0) {
        snprintf(verdict->reason, sizeof verdict->reason, "a thread runs on without ever reaching a visible step");
    } else if (verdict_lacks_executions(result->complete, result->cut, result->met)) {
        verdict_set_incomplete(verdict, task, result->met);
    } else {
        verdict_set_safe(verdict, task, result->met);
    }
}

struct search_task search_of(const struct task *task) {
    struct search_task search = {
        .program = task->program,
        .machine = task->machine,
        .limits = task->limits,
        .progress = task->progress,
        .jobs = task->jobs,
    };
    search.machine.awaits = AWAIT_SPIN;
    return search;
}

void reach_decide(const struct task *task, uint64_t most_states, bool abstract, struct verdict *verdict) {
    struct collector collector = {.task = task, .verdict = verdict};
    visited_init(&collector.seen);
    struct search_task search = search_of(task);
    search.shortest = reach_options(task)->shortest;
    search.everything = task->collect == COLLECT_STATES;
    search.abstract = abstract;
    search.most_states = most_states;
    search.final = collect_end;
    search.final_data = &collector;
    struct search_result result;
    search_result_init(&result);
    (task->machine.model == MODEL_SC ? search_run : buffered_run)(&search, &result);
    verdict->states += result.states;
    verdict->traces += result.complete;
    verdict->blocked += result.blocked;
    verdict->cut += result.cut;
    if (result.end == SEARCH_FOUND) {
        search.machine.awaits = result.awaits;
        if (result.path.count > LONG_PATH && !search.shortest) {
            path_shorten(task->program, &search.machine, result.path.count - 1, false, &result.path);
        }
        struct machine *machine = machine_new(task->program, &search.machine);
        for (size_t i = 0; i < result.path.count; i++) {
            machine_take(machine, *(struct transition *)vector_at(&result.path, i));
        }
        machine_outcome(machine);
        verdict_set_violation(verdict, task, machine, machine_error(machine), result.path.data, result.path.count);
        machine_free(machine);
    } else if (result.end == SEARCH_LIMIT) {
        const char *reason = result.reason ? result.reason : limits_reason(task->limits);
        snprintf(verdict->reason, sizeof verdict->reason, "%s", reason ? reason : "");
    } else {
        set_bounds(task, &result, verdict);
    }
    search_result_delete(&result);
    visited_delete(&collector.seen);
    free(collector.buffer);
}

static void reach_run(const struct task *task, struct verdict *verdict) {
    reach_decide(task, 0, true, verdict);
}

static const struct reach_options defaults = {.shortest = false};

const struct engine engine_reach = {
    .name = "reach",
    .what = "visits all states, with no bound on loops",
    .run = reach_run,
    .defaults = &defaults.common,
};
