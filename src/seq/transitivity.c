/* Transitivity, in clauses. */
#include "seq/transitivity.h"

#include <stdlib.h>
#include <string.h>

#include "util/memory.h"

struct transitivity {
    struct total_order *order;
    uint32_t count;
    size_t words;            /* of a row */
    uint64_t *light;         /* events no two of which are an edge: as many as pay */
    uint64_t *row;           /* for short use */
    struct bit_matrix after; /* row is fixed after column */
    struct bit_matrix open;  /* neither is fixed before the other */
    struct bit_matrix pairs; /* open pairs that have a literal */
    struct bit_matrix links; /* pairs of heavy events: an edge, or one is before the other because of edges */
};

static bool is_light(const struct transitivity *rules, uint32_t event) {
    return bit_has(rules->light, event);
}

static uint64_t count_bits(const uint64_t *row, size_t words) {
    uint64_t count = 0;
    for (size_t w = 0; w < words; w++) {
        count += (uint64_t)__builtin_popcountll(row[w]);
    }
    return count;
}

/* --- Light events ------------------------------------------------------------------------------------------------- */

static bool has_light_edge(const struct transitivity *rules, uint32_t event) {
    const uint64_t *edges = bit_row(&rules->order->edges, event);
    for (size_t w = 0; w < rules->words; w++) {
        if (edges[w] & rules->light[w]) {
            return true;
        }
    }
    return false;
}

/* Events that write nothing, and others only if they have no edge with one of those. */
static void choose_light(struct transitivity *rules) {
    const struct total_order *order = rules->order;
    for (int writes = 0; writes < 2; writes++) {
        for (uint32_t i = 0; i < rules->count; i++) {
            const struct event *event = symbolic_event(order->execution, order->events[i]);
            if ((event->writes != NO_ACCESS) == writes && !has_light_edge(rules, i)) {
                bit_set(rules->light, i);
            }
        }
    }
}

/* Fills a row with the heavy events for which an open pair with a light event matters: edges of that event, and of
 * light events after it. */
static void find_relevant(struct transitivity *rules, uint32_t light) {
    const uint64_t *edges = bit_row(&rules->order->edges, light);
    const uint64_t *fixed = bit_row(&rules->order->fixed, light);
    uint64_t *row = bit_row(&rules->pairs, light);
    for (size_t w = 0; w < rules->words; w++) {
        row[w] |= edges[w];
    }
    for (uint32_t i = bit_next(fixed, 0, rules->count); i < rules->count; i = bit_next(fixed, i + 1, rules->count)) {
        const uint64_t *later = bit_row(&rules->order->edges, i);
        for (size_t w = 0; w < rules->words && is_light(rules, i); w++) {
            row[w] |= later[w];
        }
    }
    for (size_t w = 0; w < rules->words; w++) {
        row[w] &= bit_row(&rules->open, light)[w];
    }
}

static bool is_stopped(const struct transitivity *rules) {
    return limits_reached(rules->order->execution->task->limits);
}

static void choose_pairs(struct transitivity *rules) {
    for (uint32_t i = 0; i < rules->count && !is_stopped(rules); i++) {
        if (is_light(rules, i)) {
            find_relevant(rules, i);
        }
    }
    for (uint32_t i = 0; i < rules->count && !is_stopped(rules); i++) {
        const uint64_t *open = bit_row(&rules->open, i);
        for (uint32_t j = bit_next(open, 0, rules->count); j < rules->count; j = bit_next(open, j + 1, rules->count)) {
            bool both_heavy = !is_light(rules, i) && !is_light(rules, j);
            if (both_heavy || (is_light(rules, j) && bit_at(&rules->pairs, j, i))) {
                bit_add(&rules->pairs, i, j);
            }
        }
    }
}

/* --- Links -------------------------------------------------------------------------------------------------------- */

/* Links of a heavy event with all of `others` that are heavy and open to it. */
static void add_links(struct transitivity *rules, uint32_t heavy, const uint64_t *others) {
    const uint64_t *open = bit_row(&rules->open, heavy);
    uint64_t *links = bit_row(&rules->links, heavy);
    for (size_t w = 0; w < rules->words; w++) {
        links[w] |= others[w] & open[w] & ~rules->light[w];
    }
}

/* What can come before a heavy event through this light one, and what can come after a heavy one. */
static void link_through(struct transitivity *rules, uint32_t light) {
    const struct total_order *order = rules->order;
    const uint64_t *after = bit_row(&rules->after, light);
    const uint64_t *edges = bit_row(&order->edges, light);
    for (size_t w = 0; w < rules->words; w++) {
        rules->row[w] = after[w] | edges[w];
    }
    for (uint32_t i = bit_next(after, 0, rules->count); i < rules->count; i = bit_next(after, i + 1, rules->count)) {
        const uint64_t *earlier = bit_row(&order->edges, i);
        for (size_t w = 0; w < rules->words && is_light(rules, i); w++) {
            rules->row[w] |= earlier[w];
        }
    }
    for (uint32_t i = bit_next(edges, 0, rules->count); i < rules->count; i = bit_next(edges, i + 1, rules->count)) {
        add_links(rules, i, rules->row);
        add_links(rules, i, bit_row(&order->fixed, light));
    }
}

static void find_links(struct transitivity *rules) {
    for (uint32_t i = 0; i < rules->count && !is_stopped(rules); i++) {
        if (is_light(rules, i)) {
            link_through(rules, i);
        } else {
            add_links(rules, i, bit_row(&rules->order->edges, i));
        }
    }
    for (uint32_t i = 0; i < rules->count && !is_stopped(rules); i++) { /* in both directions */
        const uint64_t *links = bit_row(&rules->links, i);
        for (uint32_t k = bit_next(links, 0, rules->count); k < rules->count;
             k = bit_next(links, k + 1, rules->count)) {
            bit_add(&rules->links, k, i);
        }
    }
}

/* --- Cycles of three ---------------------------------------------------------------------------------------------- */

/* Fills `row` with the third events of cycles through a light event and one of its edges. */
static uint64_t find_by_light(struct transitivity *rules, uint32_t light, uint32_t heavy) {
    const uint64_t *pairs = bit_row(&rules->pairs, light);
    const uint64_t *open = bit_row(&rules->open, heavy);
    for (size_t w = 0; w < rules->words; w++) {
        rules->row[w] = pairs[w] & open[w];
    }
    return count_bits(rules->row, rules->words);
}

/* Fills `row` with the heavy events after both in index with which the pair of heavy events can be in a cycle that has
 * a link. */
static uint64_t find_by_links(struct transitivity *rules, uint32_t one, uint32_t other) {
    const uint64_t *a = bit_row(&rules->open, one);
    const uint64_t *b = bit_row(&rules->open, other);
    const uint64_t *by_a = bit_row(&rules->links, one);
    const uint64_t *by_b = bit_row(&rules->links, other);
    bool any = bit_has(by_a, other);
    for (size_t w = 0; w < rules->words; w++) {
        uint64_t bits = a[w] & b[w] & ~rules->light[w] & (any ? UINT64_MAX : by_a[w] | by_b[w]);
        if (w < other / 64) {
            bits = 0;
        } else if (w == other / 64) {
            bits &= ~(((UINT64_C(1) << other % 64) << 1) - 1);
        }
        rules->row[w] = bits;
    }
    return count_bits(rules->row, rules->words);
}

/* Calls `visit` for each pair of events with the third ones in `row`; returns the number of clauses. */
static uint64_t visit_cycles(struct transitivity *rules, uint32_t one,
                             void (*visit)(struct transitivity *rules, uint32_t one, uint32_t other)) {
    uint64_t count = 0;
    bool light = is_light(rules, one);
    const uint64_t *others = light ? bit_row(&rules->order->edges, one) : bit_row(&rules->open, one);
    for (uint32_t i = bit_next(others, light ? 0 : one + 1, rules->count); i < rules->count;
         i = bit_next(others, i + 1, rules->count)) {
        if (light || !is_light(rules, i)) {
            uint64_t found = light ? find_by_light(rules, one, i) : 2 * find_by_links(rules, one, i);
            if (visit && found) {
                visit(rules, one, i);
            }
            count += found;
        }
    }
    return count;
}

static void exclude_cycles(struct transitivity *rules, uint32_t one, uint32_t other) {
    struct total_order *order = rules->order;
    struct gates *gates = &order->execution->gates;
    bool light = is_light(rules, one);
    literal first = order_pair(order, one, other);
    for (uint32_t k = bit_next(rules->row, 0, rules->count); k < rules->count;
         k = bit_next(rules->row, k + 1, rules->count)) {
        literal second = order_pair(order, other, k);
        literal third = order_pair(order, one, k);
        gates_clause_3(gates, first, -third, second); /* not: other < one < k < other */
        if (!light) {
            gates_clause_3(gates, -first, -second, third);
        }
    }
}

/* --- Fixed order -------------------------------------------------------------------------------------------------- */

/* Of two events, the first fixed before the second and none of this event's pairs between them: what is before the
 * first is before the second. */
static void exclude_by_fixed(struct transitivity *rules, uint32_t event) {
    struct total_order *order = rules->order;
    const uint64_t *pairs = bit_row(&rules->pairs, event);
    for (uint32_t one = bit_next(pairs, 0, rules->count); one < rules->count;
         one = bit_next(pairs, one + 1, rules->count)) {
        const uint64_t *fixed = bit_row(&order->fixed, one);
        for (size_t w = 0; w < rules->words; w++) {
            rules->row[w] = fixed[w] & pairs[w];
        }
        /* numbers of events keep fixed order: the first that is left has none in between */
        for (uint32_t other = bit_next(rules->row, one + 1, rules->count); other < rules->count;
             other = bit_next(rules->row, other + 1, rules->count)) {
            gates_clause_2(&order->execution->gates, -order_pair(order, event, one), order_pair(order, event, other));
            const uint64_t *later = bit_row(&order->fixed, other);
            for (size_t w = 0; w < rules->words; w++) {
                rules->row[w] &= ~later[w];
            }
        }
    }
}

/* --- The whole ---------------------------------------------------------------------------------------------------- */

static void transitivity_init(struct transitivity *rules, struct total_order *order) {
    *rules = (struct transitivity){.order = order, .count = order->count, .words = bit_words(order->count)};
    rules->light = memory_allocate(rules->words * sizeof(uint64_t) + 8);
    rules->row = memory_allocate(rules->words * sizeof(uint64_t) + 8);
    bit_matrix_init(&rules->after, order->count);
    bit_matrix_init(&rules->open, order->count);
    bit_matrix_init(&rules->pairs, order->count);
    bit_matrix_init(&rules->links, order->count);
    for (uint32_t i = 0; i < order->count; i++) {
        for (uint32_t j = 0; j < order->count; j++) {
            if (bit_at(&order->fixed, i, j)) {
                bit_add(&rules->after, j, i);
            } else if (i != j && !bit_at(&order->fixed, j, i)) {
                bit_add(&rules->open, i, j);
            }
        }
    }
}

static void clear(struct bit_matrix *matrix, uint32_t count) {
    memset(matrix->bits, 0, count * matrix->words * sizeof(uint64_t));
}

/* Determines what depends on the light events; returns the number of clauses for cycles of three. */
static uint64_t settle(struct transitivity *rules) {
    clear(&rules->pairs, rules->count);
    clear(&rules->links, rules->count);
    choose_pairs(rules);
    find_links(rules);
    uint64_t count = 0;
    for (uint32_t i = 0; i < rules->count && !is_stopped(rules); i++) {
        count += visit_cycles(rules, i, NULL);
    }
    return count;
}

static void transitivity_delete(struct transitivity *rules) {
    free(rules->light);
    free(rules->row);
    bit_matrix_delete(&rules->after);
    bit_matrix_delete(&rules->open);
    bit_matrix_delete(&rules->pairs);
    bit_matrix_delete(&rules->links);
}

static bool encode(struct transitivity *rules) {
    for (uint32_t i = 0; i < rules->count && !is_stopped(rules); i++) {
        exclude_by_fixed(rules, i);
        visit_cycles(rules, i, exclude_cycles);
    }
    return !is_stopped(rules);
}

bool transitivity_encode(struct total_order *order, uint64_t most) {
    struct transitivity rules;
    transitivity_init(&rules, order);
    uint64_t without = settle(&rules); /* light events */
    choose_light(&rules);
    uint64_t count = settle(&rules);
    if (without <= count) {
        memset(rules.light, 0, rules.words * sizeof(uint64_t));
        count = settle(&rules);
    }
    order->eager = count <= most;
    bool done = !order->eager || encode(&rules);
    transitivity_delete(&rules);
    return done;
}
