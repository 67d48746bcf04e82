/* Rounds, in clauses. */
#include "seq/rounds.h"

#include <assert.h>
#include <stdlib.h>

#include "seq/encoding.h"
#include "util/memory.h"

/* --- Small things ------------------------------------------------------------------------------------------------- */

static const struct event *event_at(const struct rounds *rounds, uint32_t position) {
    return symbolic_event(rounds->execution, rounds->events[position]);
}

static enum memory_model model_of(const struct rounds *rounds) {
    return rounds->execution->task->machine.model;
}

static struct gates *gates_of(struct rounds *rounds) {
    return &rounds->execution->gates;
}

/* The event's round is `round` or later; true for round 0. */
static literal from(const struct rounds *rounds, uint32_t position, uint32_t round) {
    return rounds->from[(size_t)round * rounds->count + position];
}

static literal drains_from(const struct rounds *rounds, uint32_t position, uint32_t round) {
    return rounds->drains[(size_t)round * rounds->count + position];
}

/* The event is in this round. */
static literal in_round(struct rounds *rounds, uint32_t position, uint32_t round) {
    return gates_and(gates_of(rounds), from(rounds, position, round), -from(rounds, position, round + 1));
}

/* The store drains after its thread's part of this round. */
static literal drains_after(struct rounds *rounds, uint32_t position, uint32_t round) {
    struct gates *gates = gates_of(rounds);
    literal then = gates_and(gates, drains_from(rounds, position, round), -drains_from(rounds, position, round + 1));
    return gates_and(gates, -rounds->at_once[position], then);
}

static bool same_thread(const struct rounds *rounds, uint32_t one, uint32_t other) {
    return event_at(rounds, one)->thread == event_at(rounds, other)->thread;
}

/* May own stores before this event still wait where the other, later one is executed? */
static bool empties_buffer(const struct rounds *rounds, uint32_t position, uint32_t later) {
    const struct event *event = event_at(rounds, position);
    return event->kind == EVENT_DRAINS &&
           gates_implies(&rounds->execution->gates, event_at(rounds, later)->guard, event->guard);
}

/* --- Guesses ------------------------------------------------------------------------------------------------------ */

/* Numbers of rounds are in unary.  Round `next` becomes possible: literals for "this round or later". */
static void guess_rounds(struct rounds *rounds, uint32_t next) {
    struct gates *gates = gates_of(rounds);
    for (uint32_t i = 0; i < rounds->count; i++) {
        literal *mine = rounds->from + (size_t)next * rounds->count;
        mine[i] = next == 0 ? LITERAL_TRUE : gates_free(gates);
        if (next > 0) {
            gates_clause_2(gates, -mine[i], from(rounds, i, next - 1));
            if (rounds->after[i] != NO_EVENT) {
                gates_clause_2(gates, -mine[rounds->after[i]], mine[i]);
            }
        }
    }
}

/* Where stores reach memory: not before they are issued. */
static void guess_drains(struct rounds *rounds, uint32_t next) {
    struct gates *gates = gates_of(rounds);
    for (uint32_t i = 0; i < rounds->count; i++) {
        literal issued = from(rounds, i, next);
        literal *mine = &rounds->drains[(size_t)next * rounds->count + i];
        if (rounds->at_once[i] == LITERAL_TRUE || next == 0) {
            *mine = issued;
            continue;
        }
        *mine = gates_free(gates);
        gates_clause_2(gates, -*mine, drains_from(rounds, i, next - 1));
        gates_clause_2(gates, -issued, *mine);
        gates_clause_3(gates, -rounds->at_once[i], -*mine, issued);
    }
}

/* Which event each one cannot come before: the one before it in its thread, or the creation of the thread. */
static void find_predecessors(struct rounds *rounds) {
    const struct symbolic *execution = rounds->execution;
    uint32_t *positions = memory_allocate((execution->events.count + 1) * sizeof *positions);
    for (uint32_t i = 0; i < rounds->count; i++) {
        const struct seq_thread *thread = symbolic_thread(execution, event_at(rounds, i)->thread);
        uint32_t creator = thread->creator;
        positions[rounds->events[i]] = i;
        rounds->after[i] = NO_EVENT;
        if (i > 0 && same_thread(rounds, i - 1, i)) {
            rounds->after[i] = i - 1;
        } else if (creator != NO_EVENT && symbolic_event(execution, creator)->guard != LITERAL_FALSE) {
            assert(creator < rounds->events[i] && "a thread comes after its creator in every round");
            rounds->after[i] = positions[creator];
        }
    }
    free(positions);
}

static void guess_immediate(struct rounds *rounds) {
    for (uint32_t i = 0; i < rounds->count; i++) {
        bool waits = event_at(rounds, i)->kind == EVENT_STORE && model_of(rounds) != MODEL_SC;
        assert((!waits || event_at(rounds, i)->reads == NO_ACCESS) &&
               "what a store checks when it is issued is an event before it");
        rounds->at_once[i] = waits ? gates_free(gates_of(rounds)) : LITERAL_TRUE;
    }
}

/* --- The store buffer --------------------------------------------------------------------------------------------- */

/* What each further round adds to the buffers' rules. */
enum rule_kind {
    RULE_DRAINED,  /* the condition holds if the store has drained where the event is executed */
    RULE_BEFORE,   /* if the condition holds, it has */
    RULE_IN_ORDER, /* if the condition holds, the store drains before the event, a store */
};

struct buffer_rule {
    uint8_t kind; /* enum rule_kind */
    uint32_t store;
    uint32_t event;
    literal condition;
};

static void add_rule(struct rounds *rounds, enum rule_kind kind, uint32_t store, uint32_t event, literal condition) {
    struct buffer_rule rule = {(uint8_t)kind, store, event, condition};
    vector_push(&rounds->rules, &rule);
}

/* Has the store drained where its thread's later event is executed? */
static literal drained(struct rounds *rounds, uint32_t store, uint32_t event) {
    for (size_t i = rounds->rules.count; i-- > 0;) {
        const struct buffer_rule *rule = vector_at(&rounds->rules, i);
        if (rule->event != event) {
            break;
        }
        if (rule->kind == RULE_DRAINED && rule->store == store) {
            return rule->condition;
        }
    }
    literal result = gates_free(gates_of(rounds));
    gates_clause_2(gates_of(rounds), -rounds->at_once[store], result);
    add_rule(rounds, RULE_DRAINED, store, event, result);
    return result;
}

/* If the condition holds, the store has drained where the later event is executed. */
static void drain_before(struct rounds *rounds, uint32_t store, uint32_t event, literal condition) {
    add_rule(rounds, RULE_BEFORE, store, event, condition);
}

/* If the condition holds, the first store of a thread drains before the second. */
static void drain_in_order(struct rounds *rounds, uint32_t first, uint32_t second, literal condition) {
    add_rule(rounds, RULE_IN_ORDER, first, second, condition);
    drain_before(rounds, first, second, gates_and(gates_of(rounds), condition, rounds->at_once[second]));
}

static void apply_rule(struct rounds *rounds, const struct buffer_rule *rule, uint32_t round) {
    struct gates *gates = gates_of(rounds);
    literal condition = rule->condition;
    literal at_once = rounds->at_once[rule->store];
    literal waits = drains_from(rounds, rule->store, round); /* if it does not drain at once */
    literal here;
    switch (rule->kind) {
    case RULE_DRAINED:
        here = in_round(rounds, rule->event, round);
        gates_clause_4(gates, -here, -condition, at_once, -waits);
        gates_clause_3(gates, -here, condition, waits);
        break;
    case RULE_BEFORE:
        gates_clause_4(gates, -condition, at_once, from(rounds, rule->event, round + 1), -waits);
        break;
    default:
        gates_clause_3(gates, -condition, -drains_from(rounds, rule->store, round + 1),
                       drains_from(rounds, rule->event, round + 1));
        break;
    }
}

/* TSO: each store follows the one before it, executed or not: what is not executed can drain as soon as what is before
 * it.  So only the last store matters for an event that waits for the empty buffer. */
static void encode_tso(struct rounds *rounds, uint32_t position) {
    const struct event *event = event_at(rounds, position);
    if (event->kind != EVENT_STORE && event->kind != EVENT_DRAINS) {
        return;
    }
    for (uint32_t i = position; i-- > 0 && same_thread(rounds, i, position);) {
        if (event_at(rounds, i)->kind != EVENT_STORE) {
            continue;
        }
        if (event->kind == EVENT_STORE) {
            drain_in_order(rounds, i, position, LITERAL_TRUE);
        } else {
            drain_before(rounds, i, position, event->guard);
        }
        return;
    }
}

/* PSO: stores that share a byte, or have a store barrier between them. */
static void encode_pso(struct rounds *rounds, uint32_t position) {
    struct gates *gates = gates_of(rounds);
    const struct event *event = event_at(rounds, position);
    if (event->kind != EVENT_STORE && event->kind != EVENT_DRAINS) {
        return;
    }
    literal barrier = LITERAL_FALSE; /* one is executed between the two */
    for (uint32_t i = position; i-- > 0 && same_thread(rounds, i, position) && !empties_buffer(rounds, i, position);) {
        const struct event *earlier = event_at(rounds, i);
        literal both = gates_and(gates, earlier->guard, event->guard);
        if (earlier->kind == EVENT_BARRIER) {
            barrier = gates_or(gates, barrier, earlier->guard);
        } else if (earlier->kind == EVENT_STORE && event->kind == EVENT_DRAINS) {
            drain_before(rounds, i, position, both);
        } else if (earlier->kind == EVENT_STORE) {
            literal kept = gates_or(gates, barrier, encoding_stores_overlap(rounds->execution, earlier, event));
            kept = gates_and(gates, kept, both);
            if (kept != LITERAL_FALSE) {
                drain_in_order(rounds, i, position, kept);
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

static void encode_buffer(struct rounds *rounds, uint32_t position) {
    const struct event *event = event_at(rounds, position);
    bool is_load = event->kind == EVENT_LOAD && model_of(rounds) != MODEL_SC;
    for (uint32_t a = event->reads; a != NO_ACCESS; a = symbolic_access(rounds->execution, a)->next) {
        const struct access *read = symbolic_access(rounds->execution, a);
        rounds->remote[a] = is_load ? serve(rounds, position, read) : read->condition;
    }
    if (is_load) {
        encode_partial(rounds, position);
    }
    if (model_of(rounds) == MODEL_TSO) {
        encode_tso(rounds, position);
    } else if (model_of(rounds) == MODEL_PSO) {
        encode_pso(rounds, position);
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

/* One after the thread's last event. */
static uint32_t thread_end(const struct rounds *rounds, uint32_t first) {
    uint32_t end = first + 1;
    while (end < rounds->count && same_thread(rounds, first, end)) {
        end++;
    }
    return end;
}

/* --- The whole ---------------------------------------------------------------------------------------------------- */

bool rounds_init(struct rounds *rounds, struct symbolic *execution) {
    size_t events = execution->events.count + 1;
    size_t cells = execution->cells.count + 1;
    size_t lives = cells * execution->threads.count;
    *rounds = (struct rounds){.execution = execution};
    vector_init(&rounds->rules, sizeof(struct buffer_rule));
    rounds->events = memory_allocate(events * sizeof *rounds->events);
    rounds->after = memory_allocate(events * sizeof *rounds->after);
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
    rounds->from = memory_allocate((rounds->count + 1) * sizeof *rounds->from);
    rounds->drains = memory_allocate((rounds->count + 1) * sizeof *rounds->drains);
    find_predecessors(rounds);
    guess_immediate(rounds);
    guess_rounds(rounds, 0);
    guess_drains(rounds, 0);
    for (uint32_t i = 0; i < rounds->count; i++) {
        encode_buffer(rounds, i);
        rounds->most += 1 + (rounds->at_once[i] != LITERAL_TRUE);
        if (limits_reached(execution->task->limits)) {
            return false;
        }
    }
    memory_init(rounds);
    return true;
}

bool rounds_append(struct rounds *rounds) {
    const struct symbolic *execution = rounds->execution;
    uint32_t round = rounds->rounds++;
    size_t size = ((size_t)round + 2) * rounds->count * sizeof(literal);
    if (!limits_allow(execution->task->limits, 2 * size)) {
        return false;
    }
    rounds->from = memory_resize(rounds->from, size + sizeof(literal));
    rounds->drains = memory_resize(rounds->drains, size + sizeof(literal));
    guess_rounds(rounds, round + 1);
    guess_drains(rounds, round + 1);
    for (size_t i = 0; i < rounds->rules.count; i++) {
        apply_rule(rounds, vector_at(&rounds->rules, i), round);
    }
    for (uint32_t first = 0; first < rounds->count; first = thread_end(rounds, first)) {
        encode_part(rounds, round, first, thread_end(rounds, first));
        if (limits_reached(execution->task->limits)) {
            return false;
        }
    }
    return true;
}

literal rounds_no_more(struct rounds *rounds) {
    struct gates *gates = gates_of(rounds);
    literal no_more = gates_free(gates);
    for (uint32_t i = 0; i < rounds->count; i++) {
        gates_clause_2(gates, -no_more, -from(rounds, i, rounds->rounds));
        gates_clause_2(gates, -no_more, -drains_from(rounds, i, rounds->rounds));
    }
    return no_more;
}

void rounds_read_final(struct rounds *rounds, literal condition) {
    struct symbolic *execution = rounds->execution;
    if (execution->final_event != NO_EVENT) {
        const struct event *last = symbolic_event(execution, execution->final_event);
        for (uint32_t a = last->reads; a != NO_ACCESS; a = symbolic_access(execution, a)->next) {
            rounds->remote[a] = symbolic_access(execution, a)->condition;
        }
        encode_reads(rounds, last, condition);
    }
}

void rounds_delete(struct rounds *rounds) {
    vector_delete(&rounds->rules);
    free(rounds->events);
    free(rounds->after);
    free(rounds->from);
    free(rounds->drains);
    free(rounds->at_once);
    free(rounds->remote);
    free(rounds->read);
    free(rounds->memory);
    free(rounds->lives_read);
    free(rounds->lives);
}

/* An attempt that fails on these values fails on them for ever, even if other values were there meanwhile. */
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
