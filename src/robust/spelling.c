/* Puts the events of the execution and the failed reads of its cycle into an order that respects happens-before.
 * Running it shows whether that is an execution with a cycle. */
#include "robust/spelling.h"

#include <stdlib.h>

#include "robust/cycle.h"
#include "util/memory.h"

/* The failed reads of the cycle, each once. */
static void find_failed(const struct vector *cycle, struct vector *failed) {
    for (size_t i = 0; i < cycle->count; i++) {
        uint32_t one = ((const struct cycle_event *)vector_at(cycle, i))->failed;
        bool known = one == NO_EVENT;
        for (size_t k = 0; k < failed->count; k++) {
            known = known || *(uint32_t *)vector_at(failed, k) == one;
        }
        if (!known) {
            vector_push(failed, &one);
        }
    }
}

struct arrangement {
    struct chronological *trace;
    struct vector failed; /* of uint32_t */
    bool *placed;         /* by event, then by failed read */
    struct vector path;   /* of struct transition: those already in order */
};

static const struct failed_read *failed_at(const struct arrangement *order, size_t index) {
    return vector_at(&order->trace->failed, *(uint32_t *)vector_at(&order->failed, index));
}

static bool is_placed(const struct arrangement *order, uint32_t event) {
    return event == NO_EVENT || order->placed[event];
}

/* A failed read comes after the last step before its loop and the write that it has read. */
static bool failed_is_ready(const struct arrangement *order, size_t index) {
    const struct failed_read *failed = failed_at(order, index);
    return is_placed(order, failed->last_step) && is_placed(order, failed->last_drain) &&
           is_placed(order, failed->after);
}

/* An event comes after all events that happen before it, and after the reads that have not seen it or came before it in
 * their loop. */
static bool event_is_ready(const struct arrangement *order, uint32_t event) {
    size_t events = order->trace->events.count;
    for (uint32_t before = 0; before < event; before++) {
        if (!order->placed[before] && happens_before(order->trace, before, event)) {
            return false;
        }
    }
    for (size_t i = 0; i < order->failed.count; i++) {
        const struct failed_read *failed = failed_at(order, i);
        if (!order->placed[events + i] && (failed->next == event || failed->event == event)) {
            return false;
        }
    }
    return true;
}

static void place_event(struct arrangement *order, uint32_t event) {
    size_t from = chronological_event(order->trace, event)->taken;
    size_t to = chronological_taken_end(order->trace, event);
    for (; from < to; from++) {
        vector_push(&order->path, vector_at(&order->trace->taken, from));
    }
    order->placed[event] = true;
}

/* Appends an element that is ready; false if there is none. */
static bool place_next(struct arrangement *order) {
    size_t events = order->trace->events.count;
    for (size_t i = 0; i < order->failed.count; i++) {
        if (!order->placed[events + i] && failed_is_ready(order, i)) {
            struct transition read = {.thread = failed_at(order, i)->thread, .kind = TRANSITION_STEP};
            vector_push(&order->path, &read);
            return order->placed[events + i] = true;
        }
    }
    for (uint32_t event = 0; event < events; event++) {
        if (!order->placed[event] && event_is_ready(order, event)) {
            place_event(order, event);
            return true;
        }
    }
    return false;
}

static void put_in_order(void *data, struct chronological *trace, const struct vector *cycle) {
    struct vector *path = data;
    struct arrangement order = {.trace = trace};
    vector_init(&order.failed, sizeof(uint32_t));
    vector_init(&order.path, sizeof(struct transition));
    find_failed(cycle, &order.failed);
    order.placed = memory_allocate(trace->events.count + order.failed.count + 1);
    while (place_next(&order)) {
    }
    vector_delete(path);
    *path = order.path;
    vector_delete(&order.failed);
    free(order.placed);
}

void execution_spell_out(struct execution *execution, const struct program *program) {
    struct execution spelled = *execution;
    spelled.implies_reads = false;
    if (execution_is_cyclic(program, &spelled, NULL, NULL)) {
        *execution = spelled;
        return;
    }
    vector_init(&spelled.path, sizeof(struct transition));
    spelled.machine.awaits = AWAIT_FREE;
    execution_is_cyclic(program, execution, put_in_order, &spelled.path);
    if (execution_is_cyclic(program, &spelled, NULL, NULL)) {
        vector_delete(&execution->path);
        *execution = spelled;
    } else {
        vector_delete(&spelled.path);
    }
}
