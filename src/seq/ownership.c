/* Cells with an owner: 0, or the number of the thread that has the lock.
 *
 * A cell has an owner if each event that writes it reads it in the same step, finds 0 or its thread's number, and
 * writes one of the two; numbers of threads differ.  While it holds the number of a thread only that thread writes it.
 * So if `take` writes the number of its thread, and a step of another thread writes the cell later, the first thread
 * has written 0 in between.
 *
 * That follows from what each step reads, but only by induction over all steps in between; with these clauses a solver
 * need not derive it for each pair of critical sections. */
#include "seq/ownership.h"

#include <stdlib.h>

#include "util/memory.h"

/* What the event reads from the cell where it writes it; NULL: it does not always read it, or not at one time. */
static const struct access *read_at_write(const struct total_order *order, const struct event *event,
                                          const struct access *write) {
    const struct symbolic *execution = order->execution;
    for (uint32_t a = event->reads; a != NO_ACCESS; a = symbolic_access(execution, a)->next) {
        const struct access *read = symbolic_access(execution, a);
        if (read->cell == write->cell) {
            return gates_implies(&execution->gates, write->condition, read->condition) ? read : NULL;
        }
    }
    return NULL;
}

static const struct event *event_of(const struct total_order *order, const struct cell_writer *writer) {
    return symbolic_event(order->execution, order->events[writer->position]);
}

static const struct access *write_of(const struct total_order *order, const struct cell_writer *writer) {
    return symbolic_access(order->execution, writer->access);
}

/* Fills in the numbers that threads write.  False if one writes two, or two of them one. */
static bool find_numbers(const struct total_order *order, const struct vector *writers, uint64_t *numbers) {
    const struct symbolic *execution = order->execution;
    for (uint32_t t = 0; t < execution->threads.count; t++) {
        numbers[t] = (uint64_t)symbolic_thread(execution, t)->number + 1;
    }
    bool distinct = true;
    for (size_t i = 0; i < writers->count; i++) {
        const struct cell_writer *writer = vector_at(writers, i);
        uint64_t value;
        distinct &= value_is_constant(&execution->terms, write_of(order, writer)->value, &value) &&
                    (value == 0 || value == numbers[event_of(order, writer)->thread]);
    }
    return distinct;
}

/* Does the event write the cell only where it has found 0 or this number? */
static bool writes_as_owner(struct total_order *order, const struct cell_writer *writer, uint64_t number) {
    struct symbolic *execution = order->execution;
    const struct event *event = event_of(order, writer);
    const struct access *write = write_of(order, writer);
    const struct access *read = event->kind == EVENT_DRAINS ? read_at_write(order, event, write) : NULL;
    if (!read) {
        return false;
    }
    term_id found = read->value.term;
    literal condition = write->condition;
    return gates_implies(&execution->gates, condition, term_equals(&execution->terms, found, 0)) ||
           gates_implies(&execution->gates, condition, term_equals(&execution->terms, found, number));
}

static bool has_owner(struct total_order *order, const struct vector *writers, uint64_t *numbers) {
    bool has = writers->count > 1 && find_numbers(order, writers, numbers);
    for (size_t i = 0; i < writers->count && has; i++) {
        const struct cell_writer *writer = vector_at(writers, i);
        has = writes_as_owner(order, writer, numbers[event_of(order, writer)->thread]);
    }
    return has;
}

static bool is_release(const struct total_order *order, const struct cell_writer *writer) {
    uint64_t value;
    return value_is_constant(&order->execution->terms, write_of(order, writer)->value, &value) && value == 0;
}

/* The releases that can be the first after `take` in its thread. */
static void find_releases(const struct total_order *order, const struct vector *writers, size_t take,
                          struct vector *releases) {
    const struct gates *gates = &order->execution->gates;
    uint32_t thread = event_of(order, vector_at(writers, take))->thread;
    releases->count = 0;
    for (size_t i = take + 1; i < writers->count; i++) {
        const struct cell_writer *writer = vector_at(writers, i);
        bool first = event_of(order, writer)->thread == thread && is_release(order, writer);
        for (size_t k = 0; k < releases->count && first; k++) {
            const struct cell_writer *earlier = vector_at(releases, k);
            first = !gates_implies(gates, write_of(order, writer)->condition, write_of(order, earlier)->condition);
        }
        if (first) {
            vector_push(releases, writer);
        }
    }
}

/* If `take` comes before `other`, one of the releases comes between them. */
static void encode_pair(struct total_order *order, const struct cell_writer *take, const struct cell_writer *other,
                        const struct vector *releases) {
    struct gates *gates = &order->execution->gates;
    struct vector clause;
    vector_init(&clause, sizeof(literal));
    const literal unless[] = {-write_of(order, take)->condition, -write_of(order, other)->condition,
                              -order_before(order, order->events[take->position], order->events[other->position])};
    for (unsigned i = 0; i < 3; i++) {
        vector_push(&clause, &unless[i]);
    }
    for (size_t i = 0; i < releases->count; i++) {
        const struct cell_writer *release = vector_at(releases, i);
        literal between =
            gates_and(gates, write_of(order, release)->condition,
                      order_before(order, order->events[release->position], order->events[other->position]));
        vector_push(&clause, &between);
    }
    gates_clause(gates, clause.data, clause.count);
    vector_delete(&clause);
}

static void encode_cell(struct total_order *order, const struct vector *writers) {
    struct vector releases;
    vector_init(&releases, sizeof(struct cell_writer));
    for (size_t i = 0; i < writers->count; i++) {
        const struct cell_writer *take = vector_at(writers, i);
        if (is_release(order, take)) {
            continue;
        }
        find_releases(order, writers, i, &releases);
        for (size_t k = 0; k < writers->count; k++) {
            const struct cell_writer *other = vector_at(writers, k);
            if (event_of(order, other)->thread != event_of(order, take)->thread) {
                encode_pair(order, take, other, &releases);
            }
        }
    }
    vector_delete(&releases);
}

void ownership_encode(struct total_order *order) {
    const struct symbolic *execution = order->execution;
    uint64_t *numbers = memory_allocate((execution->threads.count + 1) * sizeof *numbers);
    for (size_t cell = 0; cell < execution->cells.count; cell++) {
        if (has_owner(order, &order->writers[cell], numbers)) {
            encode_cell(order, &order->writers[cell]);
        }
    }
    free(numbers);
}
