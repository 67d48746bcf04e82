/* Rounds, in clauses. */
#include "seq/rounds.h"

#include <assert.h>
#include <stdlib.h>

#include "seq/encoding.h"
#include "util/memory.h"

/* --- Small things ------------------------------------------------------------------------------------------------- */

static const struct event *event_at(const struct rounds *rounds, uint32_t place) {
    return symbolic_event(rounds->execution, rounds->events[place]);
}

static enum memory_model model_of(const struct rounds *rounds) {
    return rounds->execution->task->machine.model;
}

static struct gates *gates_of(struct rounds *rounds) {
    return &rounds->execution->gates;
}

/* The event's round is `round` or later; true for round 0, false for the number of rounds. */
static literal from(const struct rounds *rounds, uint32_t place, uint32_t round) {
    return rounds->from[(size_t)place * (rounds->rounds + 1) + round];
}

static literal drains_from(const struct rounds *rounds, uint32_t place, uint32_t round) {
    return rounds->drains[(size_t)place * (rounds->rounds + 1) + round];
}

/* The event is in this round. */
static literal in_round(struct rounds *rounds, uint32_t place, uint32_t round) {
    return gates_and(gates_of(rounds), from(rounds, place, round), -from(rounds, place, round + 1));
}

/* The store drains after its thread's part of this round. */
static literal drains_after(struct rounds *rounds, uint32_t place, uint32_t round) {
    struct gates *gates = gates_of(rounds);
    literal then = gates_and(gates, drains_from(rounds, place, round), -drains_from(rounds, place, round + 1));
    return gates_and(gates, -rounds->at_once[place], then);
}

static bool same_thread(const struct rounds *rounds, uint32_t one, uint32_t other) {
    return event_at(rounds, one)->thread == event_at(rounds, other)->thread;
}

/* May own stores before this event still wait where the other, later one is executed? */
static bool empties_buffer(const struct rounds *rounds, uint32_t place, uint32_t later) {
    const struct event *event = event_at(rounds, place);
    return event->kind == EVENT_DRAINS &&
           gates_implies(&rounds->execution->gates, event_at(rounds, later)->guard, event->guard);
}

/* --- Guesses ------------------------------------------------------------------------------------------------------ */

/* A number of a round, in unary. */
static void guess(struct rounds *rounds, literal *unary) {
    unary[0] = LITERAL_TRUE;
    unary[rounds->rounds] = LITERAL_FALSE;
    for (uint32_t r = 1; r < rounds->rounds; r++) {
        unary[r] = gates_free(gates_of(rounds));
        gates_clause_2(gates_of(rounds), -unary[r], unary[r - 1]);
    }
}

/* Not earlier than the other number. */
static void follow(struct rounds *rounds, const literal *earlier, const literal *later) {
    for (uint32_t r = 1; r < rounds->rounds; r++) {
        gates_clause_2(gates_of(rounds), -earlier[r], later[r]);
    }
}

static void guess_rounds(struct rounds *rounds) {
    struct symbolic *execution = rounds->execution;
    size_t width = (size_t)rounds->rounds + 1;
    uint32_t *places = memory_allocate((execution->events.count + 1) * sizeof *places);
    for (uint32_t i = 0; i < rounds->count; i++) {
        literal *mine = rounds->from + i * width;
        places[rounds->events[i]] = i;
        guess(rounds, mine);
        if (i > 0 && same_thread(rounds, i - 1, i)) {
            follow(rounds, mine - width, mine);
            continue;
        }
        const struct seq_thread *thread = symbolic_thread(execution, event_at(rounds, i)->thread);
        if (thread->creator != NO_EVENT && symbolic_event(execution, thread->creator)->guard != LITERAL_FALSE) {
            assert(thread->creator < rounds->events[i] && "a thread comes after its creator in every round");
            follow(rounds, rounds->from + places[thread->creator] * width, mine);
        }
    }
    free(places);
}

/* Where stores reach memory: not before they are issued. */
static void guess_drains(struct rounds *rounds) {
    size_t width = (size_t)rounds->rounds + 1;
    for (uint32_t i = 0; i < rounds->count; i++) {
        literal *issued = rounds->from + i * width;
        literal *drains = rounds->drains + i * width;
        if (event_at(rounds, i)->kind != EVENT_STORE || model_of(rounds) == MODEL_SC) {
            rounds->at_once[i] = LITERAL_TRUE;
            for (uint32_t r = 0; r <= rounds->rounds; r++) {
                drains[r] = issued[r];
            }
            continue;
        }
        assert(event_at(rounds, i)->reads == NO_ACCESS &&
               "what a store checks when it is issued is an event before it");
        rounds->at_once[i] = gates_free(gates_of(rounds));
        guess(rounds, drains);
        follow(rounds, issued, drains);
        for (uint32_t r = 1; r < rounds->rounds; r++) {
            gates_clause_3(gates_of(rounds), -rounds->at_once[i], -drains[r], issued[r]);
        }
    }
}

/* --- The store buffer --------------------------------------------------------------------------------------------- */

/* Has the store drained where its thread's later event is executed? */
static literal drained(struct rounds *rounds, uint32_t store, uint32_t event) {
    struct gates *gates = gates_of(rounds);
    literal result = rounds->at_once[store];
    for (uint32_t r = 1; r < rounds->rounds; r++) {
        result = gates_or(gates, result, gates_and(gates, from(rounds, event, r), -drains_from(rounds, store, r)));
    }
    return result;
}

/* If both conditions hold, the store has drained where the later event is executed. */
static void drain_before(struct rounds *rounds, uint32_t store, uint32_t event, literal one, literal other) {
    for (uint32_t r = 0; r < rounds->rounds; r++) {
        const literal clause[] = {-one, -other, rounds->at_once[store], from(rounds, event, r + 1),
                                  -drains_from(rounds, store, r)};
        gates_clause(gates_of(rounds), clause, 5);
    }
}

/* If the condition holds, the first store of a thread drains before the second. */
static void drain_in_order(struct rounds *rounds, uint32_t first, uint32_t second, literal condition) {
    for (uint32_t r = 1; r < rounds->rounds; r++) {
        gates_clause_3(gates_of(rounds), -condition, -drains_from(rounds, first, r), drains_from(rounds, second, r));
    }
    drain_before(rounds, first, second, condition, rounds->at_once[second]);
}

/* TSO: each store follows the one before it, executed or not: what is not executed can drain as soon as what is before
 * it.  So only the last store matters for an event that waits for the empty buffer. */
static void encode_tso(struct rounds *rounds, uint32_t place) {
    const struct event *event = event_at(rounds, place);
    if (event->kind != EVENT_STORE && event->kind != EVENT_DRAINS) {
        return;
    }
    for (uint32_t i = place; i-- > 0 && same_thread(rounds, i, place);) {
        if (event_at(rounds, i)->kind != EVENT_STORE) {
            continue;
        }
        if (event->kind == EVENT_STORE) {
            drain_in_order(rounds, i, place, LITERAL_TRUE);
        } else {
            drain_before(rounds, i, place, event->guard, LITERAL_TRUE);
        }
        return;
    }
}

/* PSO: stores that share a byte, or have a store barrier between them. */
static void encode_pso(struct rounds *rounds, uint32_t place) {
    struct gates *gates = gates_of(rounds);
    const struct event *event = event_at(rounds, place);
    if (event->kind != EVENT_STORE && event->kind != EVENT_DRAINS) {
        return;
    }
    literal barrier = LITERAL_FALSE; /* one is executed between the two */
    for (uint32_t i = place; i-- > 0 && same_thread(rounds, i, place) && !empties_buffer(rounds, i, place);) {
        const struct event *earlier = event_at(rounds, i);
        literal both = gates_and(gates, earlier->guard, event->guard);
        if (earlier->kind == EVENT_BARRIER) {
            barrier = gates_or(gates, barrier, earlier->guard);
        } else if (earlier->kind == EVENT_STORE && event->kind == EVENT_DRAINS) {
            drain_before(rounds, i, place, both, LITERAL_TRUE);
        } else if (earlier->kind == EVENT_STORE) {
            literal kept = gates_or(gates, barrier, encoding_stores_overlap(rounds->execution, earlier, event));
            kept = gates_and(gates, kept, both);
            if (kept != LITERAL_FALSE) {
                drain_in_order(rounds, i, place, kept);
            }
        }
    }
}

/* An own store that still waits, is the newest of those that overlap the load, and does not cover it, must reach memory
 * first. */
static void encode_partial(struct rounds *rounds, uint32_t load) {
    struct gates *gates = gates_of(rounds);
    const struct event *event = event_at(rounds, load);
    literal newer = LITERAL_FALSE; /* a newer store overlaps and still waits */
    for (uint32_t i = load; i-- > 0 && same_thread(rounds, i, load) && !empties_buffer(rounds, i, load);) {
        const struct event *store = event_at(rounds, i);
        literal partial;
        if (store->kind != EVENT_STORE) {
            continue;
        }
        literal overlap = encoding_load_overlap(rounds->execution, event, store, &partial);
        if (overlap != LITERAL_FALSE) {
            literal has_drained = drained(rounds, i, load);
            gates_clause_3(gates, -partial, has_drained, newer);
            newer = gates_or(gates, newer, gates_and(gates, overlap, -has_drained));
        }
    }
}

/* The newest own store that waits serves a load. */
static literal serve(struct rounds *rounds, uint32_t load, const struct access *read) {
    struct symbolic *execution = rounds->execution;
    struct gates *gates = gates_of(rounds);
    literal remote = read->condition;
    for (uint32_t i = load; i-- > 0 && same_thread(rounds, i, load) && !empties_buffer(rounds, i, load);) {
        const struct event *store = event_at(rounds, i);
        bool hides = false; /* older stores have drained if this one has */
        for (uint32_t a = store->writes; store->kind == EVENT_STORE && a != NO_ACCESS;) {
            const struct access *write = symbolic_access(execution, a);
            a = write->next;
            if (write->cell != read->cell || write->condition == LITERAL_FALSE) {
                continue;
            }
            literal waits = gates_and(gates, write->condition, -drained(rounds, i, load));
            encoding_equal_if(execution, gates_and(gates, remote, waits), read->value.term, write->value.term);
            remote = gates_and(gates, remote, -waits);
            hides |= gates_implies(gates, read->condition, write->condition);
        }
        if (hides) {
            break;
        }
    }
    return remote;
}

static void encode_buffer(struct rounds *rounds, uint32_t place) {
    const struct event *event = event_at(rounds, place);
    bool is_load = event->kind == EVENT_LOAD && model_of(rounds) != MODEL_SC;
    for (uint32_t a = event->reads; a != NO_ACCESS; a = symbolic_access(rounds->execution, a)->next) {
        const struct access *read = symbolic_access(rounds->execution, a);
        rounds->remote[a] = is_load ? serve(rounds, place, read) : read->condition;
    }
    if (is_load) {
        encode_partial(rounds, place);
    }
    if (model_of(rounds) == MODEL_TSO) {
        encode_tso(rounds, place);
    } else if (model_of(rounds) == MODEL_PSO) {
        encode_pso(rounds, place);
    }
}

/* --- Memory ------------------------------------------------------------------------------------------------------- */

static void memory_init(struct rounds *rounds) {
    struct symbolic *execution = rounds->execution;
    size_t cells = execution->cells.count;
    for (size_t i = 0; i < execution->events.count; i++) {
        const struct event *event = symbolic_event(execution, i);
        for (uint32_t a = event->reads; a != NO_ACCESS; a = symbolic_access(execution, a)->next) {
            rounds->read[symbolic_access(execution, a)->cell] = true;
        }
        for (uint32_t a = event->reached; a != NO_ACCESS; a = symbolic_access(execution, a)->next) {
            rounds->lives_read[event->thread * cells + symbolic_access(execution, a)->cell] = true;
        }
    }
    for (size_t i = 0; i < cells; i++) {
        term_id initial = ((struct cell_use *)vector_at(&execution->cells, i))->initial.term;
        rounds->memory[i] = initial;
        for (size_t t = 0; t < execution->threads.count; t++) {
            rounds->lives[t * cells + i] = initial;
        }
    }
}

/* What the event reads is what memory has here, if the condition holds. */
static void encode_reads(struct rounds *rounds, const struct event *event, literal condition) {
    struct symbolic *execution = rounds->execution;
    for (uint32_t a = event->reads; a != NO_ACCESS; a = symbolic_access(execution, a)->next) {
        const struct access *read = symbolic_access(execution, a);
        literal here = gates_and(gates_of(rounds), condition, rounds->remote[a]);
        encoding_equal_if(execution, here, read->value.term, rounds->memory[read->cell]);
    }
}

/* The event's writes reach memory here, if the condition holds. */
static void encode_writes(struct rounds *rounds, const struct event *event, literal condition) {
    struct symbolic *execution = rounds->execution;
    struct gates *gates = gates_of(rounds);
    size_t cells = execution->cells.count;
    for (uint32_t a = event->reached; a != NO_ACCESS; a = symbolic_access(execution, a)->next) {
        const struct access *read = symbolic_access(execution, a);
        literal here = gates_and(gates, condition, read->condition);
        encoding_equal_if(execution, here, read->value.term, rounds->lives[event->thread * cells + read->cell]);
    }
    for (uint32_t a = event->writes; a != NO_ACCESS; a = symbolic_access(execution, a)->next) {
        const struct access *write = symbolic_access(execution, a);
        literal here = gates_and(gates, condition, write->condition);
        if (rounds->read[write->cell]) {
            term_id *cell = &rounds->memory[write->cell];
            *cell = term_mux(&execution->terms, here, write->value.term, *cell);
        }
        for (size_t t = 0; t < execution->threads.count; t++) {
            if (t != event->thread && rounds->lives_read[t * cells + write->cell]) {
                term_id *cell = &rounds->lives[t * cells + write->cell];
                *cell = term_mux(&execution->terms, here, write->value.term, *cell);
            }
        }
    }
}

/* A thread's part of a round: events first .. end, then the stores that drain after it. */
static void encode_part(struct rounds *rounds, uint32_t round, uint32_t first, uint32_t end) {
    struct gates *gates = gates_of(rounds);
    for (uint32_t i = first; i < end; i++) {
        const struct event *event = event_at(rounds, i);
        literal here = in_round(rounds, i, round);
        encode_reads(rounds, event, here);
        encode_writes(rounds, event, gates_and(gates, here, rounds->at_once[i]));
    }
    for (uint32_t i = first; i < end; i++) {
        if (rounds->at_once[i] != LITERAL_TRUE) {
            encode_writes(rounds, event_at(rounds, i), drains_after(rounds, i, round));
        }
    }
}

/* One behind the thread's last event. */
static uint32_t thread_end(const struct rounds *rounds, uint32_t first) {
    uint32_t end = first + 1;
    while (end < rounds->count && same_thread(rounds, first, end)) {
        end++;
    }
    return end;
}

static bool encode_memory(struct rounds *rounds) {
    struct symbolic *execution = rounds->execution;
    memory_init(rounds);
    for (uint32_t r = 0; r < rounds->rounds; r++) {
        for (uint32_t first = 0; first < rounds->count; first = thread_end(rounds, first)) {
            encode_part(rounds, r, first, thread_end(rounds, first));
            if (limits_reached(execution->task->limits)) {
                return false;
            }
        }
    }
    if (execution->final_event != NO_EVENT) {
        const struct event *last = symbolic_event(execution, execution->final_event);
        for (uint32_t a = last->reads; a != NO_ACCESS; a = symbolic_access(execution, a)->next) {
            rounds->remote[a] = symbolic_access(execution, a)->condition;
        }
        encode_reads(rounds, last, LITERAL_TRUE);
    }
    return true;
}

/* --- The whole ---------------------------------------------------------------------------------------------------- */

bool rounds_init(struct rounds *rounds, struct symbolic *execution, uint32_t count) {
    size_t events = execution->events.count + 1;
    size_t numbers = events * ((size_t)count + 1);
    size_t cells = execution->cells.count + 1;
    size_t lives = cells * execution->threads.count;
    *rounds = (struct rounds){.execution = execution, .rounds = count};
    if (!limits_allow(execution->task->limits, 2 * numbers * sizeof(literal))) {
        return false;
    }
    rounds->events = memory_allocate(events * sizeof *rounds->events);
    rounds->from = memory_allocate(numbers * sizeof *rounds->from);
    rounds->drains = memory_allocate(numbers * sizeof *rounds->drains);
    rounds->at_once = memory_allocate(events * sizeof *rounds->at_once);
    rounds->remote = memory_allocate((execution->accesses.count + 1) * sizeof *rounds->remote);
    rounds->read = memory_allocate(cells);
    rounds->memory = memory_allocate(cells * sizeof *rounds->memory);
    rounds->lives_read = memory_allocate(lives);
    rounds->lives = memory_allocate(lives * sizeof *rounds->lives);
    rounds->count = encoding_events(execution, rounds->events);
    if (rounds->count > 0 && rounds->events[rounds->count - 1] == execution->final_event) {
        rounds->count--;
    }
    guess_rounds(rounds);
    guess_drains(rounds);
    for (uint32_t i = 0; i < rounds->count; i++) {
        encode_buffer(rounds, i);
        if (limits_reached(execution->task->limits)) {
            return false;
        }
    }
    return encode_memory(rounds);
}

void rounds_delete(struct rounds *rounds) {
    free(rounds->events);
    free(rounds->from);
    free(rounds->drains);
    free(rounds->at_once);
    free(rounds->remote);
    free(rounds->read);
    free(rounds->memory);
    free(rounds->lives_read);
    free(rounds->lives);
}

/* An attempt that fails on these values fails on them for ever, even if they were others meanwhile. */
void rounds_read_last(struct rounds *rounds, uint32_t event, literal condition) {
    struct symbolic *execution = rounds->execution;
    for (uint32_t a = symbolic_event(execution, event)->reads; a != NO_ACCESS;) {
        const struct access *read = symbolic_access(execution, a);
        literal reads = gates_and(gates_of(rounds), condition, read->condition);
        encoding_equal_if(execution, reads, read->value.term, rounds->memory[read->cell]);
        a = read->next;
    }
}

/* --- Models ------------------------------------------------------------------------------------------------------- */

static bool holds(struct rounds *rounds, literal at) {
    return gates_value(gates_of(rounds), at);
}

void rounds_sequence(struct rounds *rounds, struct vector *sequence) {
    for (uint32_t r = 0; r < rounds->rounds; r++) {
        for (uint32_t first = 0, end; first < rounds->count; first = end) {
            end = thread_end(rounds, first);
            for (int late = 0; late < 2; late++) {
                for (uint32_t i = first; i < end; i++) {
                    bool now =
                        holds(rounds, drains_from(rounds, i, r)) && !holds(rounds, drains_from(rounds, i, r + 1));
                    if (now && holds(rounds, rounds->at_once[i]) == (late == 0) &&
                        holds(rounds, event_at(rounds, i)->guard)) {
                        vector_push(sequence, &rounds->events[i]);
                    }
                }
            }
        }
    }
}
