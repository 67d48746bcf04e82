/* The order of memory, in clauses. */
#include "seq/order.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "seq/encoding.h"
#include "seq/ownership.h"
#include "seq/transitivity.h"
#include "util/memory.h"

#define MOST_EAGER 12000000u /* greatest number of clauses for transitivity */
#define MOST_CYCLES 200u     /* greatest number excluded at once */
#define LEFT_OUT UINT32_MAX

/* --- Small things ------------------------------------------------------------------------------------------------- */

static const struct event *event_at(const struct total_order *order, uint32_t position) {
    return symbolic_event(order->execution, order->events[position]);
}

static bool is_fixed(const struct total_order *order, uint32_t one, uint32_t other) {
    return bit_at(&order->fixed, one, other);
}

static void fix(struct total_order *order, uint32_t one, uint32_t other) {
    bit_add(&order->fixed, one, other);
}

literal order_pair(struct total_order *order, uint32_t one, uint32_t other) {
    bool swapped = one > other;
    literal *pair = &order->pairs[(size_t)(swapped ? other : one) * order->count + (swapped ? one : other)];
    if (*pair == 0) {
        *pair = gates_free(&order->execution->gates);
    }
    return swapped ? -*pair : *pair;
}

static literal before(struct total_order *order, uint32_t one, uint32_t other) {
    if (is_fixed(order, one, other)) {
        return LITERAL_TRUE;
    }
    if (is_fixed(order, other, one) || one == other) {
        return LITERAL_FALSE;
    }
    assert((!order->eager || bit_at(&order->edges, one, other)) && "every edge is in a clause");
    bit_add_both(&order->edges, one, other);
    return order_pair(order, one, other);
}

literal order_before(struct total_order *order, uint32_t one, uint32_t other) {
    return before(order, order->positions[one], order->positions[other]);
}

static enum memory_model model_of(const struct total_order *order) {
    return order->execution->task->machine.model;
}

/* --- Which events there are --------------------------------------------------------------------------------------- */

static void choose_events(struct total_order *order) {
    struct symbolic *execution = order->execution;
    order->count = encoding_events(execution, order->events);
    for (size_t i = 0; i < execution->events.count; i++) {
        order->positions[i] = LEFT_OUT;
    }
    for (uint32_t i = 0; i < order->count; i++) {
        order->positions[order->events[i]] = i;
    }
}

/* --- Program order ------------------------------------------------------------------------------------------------ */

/* Do all later events of the thread imply that this one is executed?  Then what it orders is ordered whenever anything
 * after it happens, and an edge to it needs no condition. */
static bool is_on_every_path(const struct total_order *order, uint32_t position) {
    const struct event *event = event_at(order, position);
    for (uint32_t i = position + 1; i < order->count; i++) {
        const struct event *later = event_at(order, i);
        if (later->thread != event->thread) {
            break;
        }
        if (!gates_implies(&order->execution->gates, later->guard, event->guard)) {
            return false;
        }
    }
    return true;
}

static const struct access *first_write(const struct total_order *order, const struct event *event) {
    return event->writes == NO_ACCESS ? NULL : symbolic_access(order->execution, event->writes);
}

/* Do both stores write just one cell, the same, whatever the model? */
static bool same_place(const struct total_order *order, const struct event *one, const struct event *other) {
    const struct access *a = first_write(order, one);
    const struct access *b = first_write(order, other);
    return a && b && a->next == NO_ACCESS && b->next == NO_ACCESS && a->cell == b->cell;
}

/* The literal under which program order between two events of a thread is kept in memory: TRUE makes it fixed. */
static literal keeps_order(struct total_order *order, uint32_t one, uint32_t other, bool other_on_every_path) {
    const struct event *first = event_at(order, one);
    const struct event *second = event_at(order, other);
    literal if_executed = other_on_every_path ? LITERAL_TRUE : second->guard;
    if (model_of(order) == MODEL_SC) {
        return LITERAL_TRUE;
    }
    if (first->kind == EVENT_BARRIER) {
        return second->kind == EVENT_STORE ? LITERAL_TRUE : LITERAL_FALSE;
    }
    if (first->kind != EVENT_STORE) {
        return second->kind == EVENT_BARRIER ? LITERAL_FALSE : LITERAL_TRUE;
    }
    switch (second->kind) {
    case EVENT_LOAD:
        return LITERAL_FALSE;
    case EVENT_STORE:
        if (model_of(order) == MODEL_TSO) {
            return LITERAL_TRUE;
        }
        return same_place(order, first, second) ? LITERAL_TRUE
                                                : encoding_stores_overlap(order->execution, first, second);
    default: /* DRAINS, BARRIER */
        return if_executed;
    }
}

static void close_fixed(struct total_order *order) {
    for (uint32_t k = 0; k < order->count && !limits_reached(order->execution->task->limits); k++) {
        for (uint32_t i = 0; i < order->count; i++) {
            for (size_t w = 0; w < order->fixed.words && is_fixed(order, i, k); w++) {
                bit_row(&order->fixed, i)[w] |= bit_row(&order->fixed, k)[w];
            }
        }
    }
}

struct conditional {
    uint32_t one;
    uint32_t other;
    literal condition;
};

static void fix_program_order(struct total_order *order, struct vector *conditionals) {
    struct symbolic *execution = order->execution;
    for (uint32_t j = 0; j < order->count; j++) {
        const struct event *event = event_at(order, j);
        bool always = is_on_every_path(order, j);
        for (uint32_t i = j; i-- > 0 && event_at(order, i)->thread == event->thread;) {
            literal condition = keeps_order(order, i, j, always);
            if (condition == LITERAL_TRUE) {
                fix(order, i, j);
            } else if (condition != LITERAL_FALSE) {
                struct conditional conditional = {i, j, condition};
                vector_push(conditionals, &conditional);
            }
        }
        for (uint32_t i = 0; i < j && order->events[j] == execution->final_event; i++) {
            fix(order, i, j);
        }
        uint32_t creator = symbolic_thread(execution, event->thread)->creator;
        if (creator != NO_EVENT && order->positions[creator] != LEFT_OUT) {
            fix(order, order->positions[creator], j);
        }
    }
    close_fixed(order);
}

/* --- Reading ------------------------------------------------------------------------------------------------------ */

static bool own_earlier(const struct total_order *order, uint32_t writer, uint32_t reader) {
    return writer < reader && event_at(order, writer)->thread == event_at(order, reader)->thread;
}

/* Does the reader see the writer's store, if it is executed?  The own one, or one that has reached memory. */
static literal visible(struct total_order *order, uint32_t writer, uint32_t reader) {
    return own_earlier(order, writer, reader) ? LITERAL_TRUE : before(order, writer, reader);
}

/* The stores that a read can see: those of others, and own ones before it. */
static void collect_writers(struct total_order *order, uint32_t reader, const struct access *read, bool only_others,
                            struct vector *writers) {
    writers->count = 0;
    const struct vector *all = &order->writers[read->cell];
    for (size_t i = 0; i < all->count; i++) {
        const struct cell_writer *writer = vector_at(all, i);
        const struct event *event = event_at(order, writer->position);
        bool own = event->thread == event_at(order, reader)->thread;
        bool never = writer->position == reader || (own && (writer->position > reader || only_others)) ||
                     is_fixed(order, reader, writer->position);
        /* an own store is left out if another own store to the same cell always comes between: that one hides it */
        if (!never && symbolic_access(order->execution, writer->access)->condition != LITERAL_FALSE) {
            vector_push(writers, writer);
        }
    }
}

/* Returns the literal for: the initial content is read. */
static literal encode_read(struct total_order *order, uint32_t reader, const struct access *read, bool only_others,
                           struct vector *writers) {
    struct symbolic *execution = order->execution;
    struct gates *gates = &execution->gates;
    struct vector clause;
    vector_init(&clause, sizeof(literal));
    collect_writers(order, reader, read, only_others, writers);
    literal negated = -read->condition;
    literal initial = LITERAL_FALSE;
    vector_push(&clause, &negated);
    const struct cell_writer *all = writers->data;
    const struct cell_use *cell = vector_at(&execution->cells, read->cell);
    for (size_t i = 0; i <= writers->count; i++) {
        bool is_initial = i == writers->count;
        const struct access *write = is_initial ? NULL : symbolic_access(execution, all[i].access);
        literal chosen = gates_free(gates);
        bool possible = true;
        /* no store comes in between */
        for (size_t k = 0; k < writers->count && possible; k++) {
            if (k == i || (!is_initial && all[k].position == all[i].position)) {
                continue;
            }
            literal seen = visible(order, all[k].position, reader);
            literal earlier = is_initial ? LITERAL_FALSE : before(order, all[k].position, all[i].position);
            literal executed = symbolic_access(execution, all[k].access)->condition;
            possible =
                !(seen == LITERAL_TRUE && earlier == LITERAL_FALSE && gates_implies(gates, read->condition, executed));
        }
        if (!possible) {
            continue;
        }
        vector_push(&clause, &chosen);
        initial = is_initial ? chosen : initial;
        if (!is_initial) {
            gates_clause_2(gates, -chosen, write->condition);
            gates_clause_2(gates, -chosen, visible(order, all[i].position, reader));
        }
        encoding_equal_if(execution, chosen, read->value.term, is_initial ? cell->initial.term : write->value.term);
        for (size_t k = 0; k < writers->count; k++) {
            if (k == i || (!is_initial && all[k].position == all[i].position)) {
                continue;
            }
            literal seen = visible(order, all[k].position, reader);
            literal earlier = is_initial ? LITERAL_FALSE : before(order, all[k].position, all[i].position);
            if (seen != LITERAL_FALSE && earlier != LITERAL_TRUE) {
                literal executed = symbolic_access(execution, all[k].access)->condition;
                gates_clause_4(gates, -chosen, -executed, -seen, earlier);
            }
        }
    }
    gates_clause(gates, clause.data, clause.count);
    vector_delete(&clause);
    return initial;
}

/* --- Loads that wait for an own store ----------------------------------------------------------------------------- */

/* An own store that still waits, is the newest of those that overlap the load, and does not cover it, must reach memory
 * first. */
static void encode_partial(struct total_order *order, uint32_t load) {
    struct gates *gates = &order->execution->gates;
    const struct event *event = event_at(order, load);
    struct vector later; /* of literal: a newer store overlaps and still waits */
    vector_init(&later, sizeof(literal));
    for (uint32_t i = load; i-- > 0 && event_at(order, i)->thread == event->thread;) {
        const struct event *store = event_at(order, i);
        literal partial;
        if (store->kind != EVENT_STORE) {
            continue;
        }
        literal overlap = encoding_load_overlap(order->execution, event, store, &partial);
        if (overlap == LITERAL_FALSE) {
            continue;
        }
        if (partial != LITERAL_FALSE) {
            struct vector clause;
            literal negated = -partial;
            literal drained = before(order, i, load);
            vector_init(&clause, sizeof(literal));
            vector_push(&clause, &negated);
            vector_push(&clause, &drained);
            for (size_t k = 0; k < later.count; k++) {
                vector_push(&clause, vector_at(&later, k));
            }
            gates_clause(gates, clause.data, clause.count);
            vector_delete(&clause);
        }
        literal waits = gates_and(gates, overlap, -before(order, i, load));
        vector_push(&later, &waits);
    }
    vector_delete(&later);
}

void order_bind_initial(struct total_order *order) {
    struct symbolic *execution = order->execution;
    for (size_t i = 0; i < execution->accesses.count; i++) {
        const struct access *access = symbolic_access(execution, i);
        if (access->initial != LITERAL_FALSE) {
            gates_clause_2(&execution->gates, -access->initial, access->finds_initial);
        }
    }
}

/* --- All reads ---------------------------------------------------------------------------------------------------- */

static void list_writers(struct total_order *order) {
    struct symbolic *execution = order->execution;
    order->writers = memory_allocate((execution->cells.count + 1) * sizeof *order->writers);
    for (size_t i = 0; i < execution->cells.count; i++) {
        vector_init(&order->writers[i], sizeof(struct cell_writer));
    }
    for (uint32_t i = 0; i < order->count; i++) {
        for (uint32_t a = event_at(order, i)->writes; a != NO_ACCESS; a = symbolic_access(execution, a)->next) {
            struct cell_writer writer = {i, a};
            vector_push(&order->writers[symbolic_access(execution, a)->cell], &writer);
        }
    }
}

static bool encode_reads(struct total_order *order) {
    struct symbolic *execution = order->execution;
    struct vector writers;
    vector_init(&writers, sizeof(struct cell_writer));
    bool goes_on = true;
    for (uint32_t i = 0; i < order->count && goes_on; i++) {
        const struct event *event = event_at(order, i);
        for (uint32_t a = event->reads; a != NO_ACCESS; a = symbolic_access(execution, a)->next) {
            struct access read = *symbolic_access(execution, a);
            symbolic_access(execution, a)->finds_initial = encode_read(order, i, &read, false, &writers);
        }
        for (uint32_t a = event->reached; a != NO_ACCESS; a = symbolic_access(execution, a)->next) {
            struct access read = *symbolic_access(execution, a);
            encode_read(order, i, &read, true, &writers);
        }
        if (event->kind == EVENT_LOAD && model_of(order) != MODEL_SC) {
            encode_partial(order, i);
        }
        goes_on = !limits_reached(execution->task->limits);
    }
    vector_delete(&writers);
    return goes_on;
}

/* Makes edges of the pairs for which `order_read_last` may need a literal. */
static void add_last_edges(struct total_order *order) {
    struct symbolic *execution = order->execution;
    for (uint32_t i = 0; i < order->count; i++) {
        for (uint32_t a = event_at(order, i)->reads; a != NO_ACCESS; a = symbolic_access(execution, a)->next) {
            const struct vector *writers = &order->writers[symbolic_access(execution, a)->cell];
            for (size_t k = 0; k < writers->count; k++) {
                before(order, ((struct cell_writer *)vector_at(writers, k))->position, i);
            }
        }
    }
}

/* --- The whole ---------------------------------------------------------------------------------------------------- */

bool order_init(struct total_order *order, struct symbolic *execution) {
    *order = (struct total_order){.execution = execution};
    order->events = memory_allocate((execution->events.count + 1) * sizeof *order->events);
    order->positions = memory_allocate((execution->events.count + 1) * sizeof *order->positions);
    choose_events(order);
    bit_matrix_init(&order->fixed, order->count);
    bit_matrix_init(&order->edges, order->count);
    order->pairs = memory_allocate((size_t)order->count * order->count * sizeof *order->pairs + 8);
    struct vector conditionals;
    vector_init(&conditionals, sizeof(struct conditional));
    list_writers(order);
    fix_program_order(order, &conditionals);
    for (size_t i = 0; i < conditionals.count; i++) {
        const struct conditional *at = vector_at(&conditionals, i);
        gates_clause_2(&execution->gates, -at->condition, before(order, at->one, at->other));
    }
    vector_delete(&conditionals);
    if (!encode_reads(order)) {
        return false;
    }
    add_last_edges(order);
    ownership_encode(order);
    return transitivity_encode(order, MOST_EAGER);
}

void order_delete(struct total_order *order) {
    for (size_t i = 0; order->writers && i < order->execution->cells.count; i++) {
        vector_delete(&order->writers[i]);
    }
    free(order->writers);
    free(order->events);
    free(order->positions);
    bit_matrix_delete(&order->fixed);
    bit_matrix_delete(&order->edges);
    free(order->pairs);
}

/* --- Models ------------------------------------------------------------------------------------------------------- */

/* What the model must keep: fixed order, and edges as it has decided them. */
static bool model_before(struct total_order *order, uint32_t one, uint32_t other) {
    return is_fixed(order, one, other) ||
           (bit_at(&order->edges, one, other) && gates_value(&order->execution->gates, order_pair(order, one, other)));
}

static bool is_executed(struct total_order *order, uint32_t position) {
    return gates_value(&order->execution->gates, event_at(order, position)->guard);
}

/* Sorts the executed events; returns how many are in no cycle. */
static uint32_t sort_executed(struct total_order *order, struct vector *sorted, bool *done) {
    uint32_t count = 0;
    uint32_t *waits = memory_allocate((order->count + 1) * sizeof *waits);
    for (uint32_t i = 0; i < order->count; i++) {
        done[i] = !is_executed(order, i);
    }
    for (uint32_t i = 0; i < order->count; i++) {
        for (uint32_t k = 0; k < order->count && !done[i]; k++) {
            waits[i] += !done[k] && model_before(order, k, i);
        }
    }
    for (bool found = true; found;) {
        found = false;
        for (uint32_t i = 0; i < order->count; i++) {
            if (done[i] || waits[i] > 0) {
                continue;
            }
            done[i] = found = true;
            count++;
            vector_push(sorted, &order->events[i]);
            for (uint32_t k = 0; k < order->count; k++) {
                waits[k] -= !done[k] && model_before(order, i, k);
            }
        }
    }
    free(waits);
    return count;
}

void order_sequence(struct total_order *order, struct vector *sequence) {
    bool *done = memory_allocate(order->count + 1);
    sort_executed(order, sequence, done);
    free(done);
}

/* A shortest cycle through one event: appended to `clauses`, ending with 0. */
static bool find_cycle(struct total_order *order, uint32_t start, const bool *done, struct vector *clauses) {
    uint32_t *from = memory_allocate((order->count + 1) * sizeof *from);
    uint32_t *queue = memory_allocate((order->count + 1) * sizeof *queue);
    bool *seen = memory_allocate(order->count + 1);
    uint32_t tail = 0;
    bool found = false;
    queue[tail++] = start;
    for (uint32_t head = 0; head < tail && !found; head++) {
        uint32_t at = queue[head];
        for (uint32_t next = 0; next < order->count && !found; next++) {
            if (done[next] || !model_before(order, at, next)) {
                continue;
            }
            found = next == start;
            if (!found && !seen[next]) {
                seen[next] = true;
                from[next] = at;
                queue[tail++] = next;
            }
        }
        for (uint32_t to = start, step = at; found; to = step, step = from[step]) {
            literal edge = -before(order, step, to);
            if (edge != LITERAL_FALSE) {
                vector_push(clauses, &edge);
            }
            if (step == start) {
                break;
            }
        }
    }
    if (found) {
        literal end = 0;
        vector_push(clauses, &end);
    }
    free(from);
    free(queue);
    free(seen);
    return found;
}

bool order_exclude_cycles(struct total_order *order) {
    if (order->eager) {
        return false;
    }
    bool *done = memory_allocate(order->count + 1);
    struct vector sorted;
    struct vector clauses; /* of literal: the model is read before any is added */
    vector_init(&sorted, sizeof(uint32_t));
    vector_init(&clauses, sizeof(literal));
    sort_executed(order, &sorted, done);
    uint32_t tried = 0;
    for (uint32_t i = 0; i < order->count && tried < MOST_CYCLES; i++) {
        tried += !done[i] && find_cycle(order, i, done, &clauses);
    }
    for (size_t i = 0, first = 0; i < clauses.count; i++) {
        const literal *all = clauses.data;
        if (all[i] == 0) {
            gates_clause(&order->execution->gates, all + first, i - first);
            first = i + 1;
        }
    }
    order->cycles += tried;
    vector_delete(&sorted);
    vector_delete(&clauses);
    free(done);
    return tried > 0;
}

void order_read_last(struct total_order *order, uint32_t event, literal condition) {
    struct symbolic *execution = order->execution;
    uint32_t reader = order->positions[event];
    if (reader == LEFT_OUT) {
        return;
    }
    for (uint32_t a = event_at(order, reader)->reads; a != NO_ACCESS; a = symbolic_access(execution, a)->next) {
        const struct access *read = symbolic_access(execution, a);
        const struct vector *writers = &order->writers[read->cell];
        for (size_t i = 0; i < writers->count; i++) {
            const struct cell_writer *writer = vector_at(writers, i);
            if (writer->position != reader) {
                const struct access *write = symbolic_access(execution, writer->access);
                gates_clause_4(&execution->gates, -condition, -read->condition, -write->condition,
                               before(order, writer->position, reader));
            }
        }
    }
}
