#include "explain/cycle.h"

#include <string.h>

#include "robust/cycle.h"
#include "robust/execution.h"

#define MOST_STEPS 3000 /* the graph has an edge for each pair of them */

struct finder {
    const struct moments *moments;
    struct vector *cycle;
};

/* The step that an event of the trace is: of a section, the first that accesses what the event conflicts about. */
static const struct step *step_of(const struct finder *finder, const struct chronological *trace, uint32_t event) {
    const struct event *at = chronological_event(trace, event);
    event = at->kind == STEP_DRAIN ? at->store : event;
    size_t first = chronological_event(trace, event)->taken;
    size_t end = chronological_taken_end(trace, event);
    for (size_t i = first; i < end; i++) {
        const struct step *step = step_at(finder->moments, i);
        if (is_access(step) || step->kind == STEP_SYNC) {
            return step;
        }
    }
    return step_at(finder->moments, first);
}

static void keep_cycle(void *data, struct chronological *trace, const struct vector *cycle) {
    const struct finder *finder = data;
    for (size_t i = 0; i < cycle->count; i++) {
        const struct cycle_event *at = vector_at(cycle, i);
        struct cycle_access access;
        if (at->failed != NO_EVENT) {
            const struct failed_read *failed = vector_at(&trace->failed, at->failed);
            access = (struct cycle_access){.thread = failed->thread,
                                           .pos = failed->pos,
                                           .address = failed->access.address,
                                           .size = failed->access.size,
                                           .kind = STEP_LOAD,
                                           .waits = true};
        } else {
            const struct step *step = step_of(finder, trace, at->event);
            access = (struct cycle_access){.thread = step->thread,
                                           .pos = step->pos,
                                           .address = step->address,
                                           .size = step->size,
                                           .kind = step->kind,
                                           .sub = step->sub,
                                           .writes = step->writes};
            memcpy(access.value, step->writes ? step->written : step->read, sizeof access.value);
        }
        vector_push(finder->cycle, &access);
    }
}

void cycle_find(const struct moments *moments, struct vector *cycle) {
    struct execution execution;
    struct finder finder = {moments, cycle};
    bool good = moments->list.count <= MOST_STEPS;
    execution_init(&execution, moments->witness);
    struct machine *machine = machine_new(moments->program, &execution.machine);
    for (size_t i = 0; good && i < moments->list.count; i++) {
        good = execution_append(&execution, machine, &moment_at(moments, i)->choice);
    }
    if (good) {
        execution_drain(&execution, machine);
        execution_is_cyclic(moments->program, &execution, keep_cycle, &finder);
    }
    machine_free(machine);
    execution_delete(&execution);
}
