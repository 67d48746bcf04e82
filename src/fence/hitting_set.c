/* Branches on the elements of the smallest clause that is not hit yet.  First drops every element beside another one
 * that hits the same clauses, and perhaps more, at no higher weight.  A set of clauses without a common element costs
 * at least the cheapest element of each, which is the bound.
 *
 *   H1. The set found hits every clause.
 *
 *   H2. Without any one of its elements it does not.
 *
 *   H3. No set is cheaper.  Debug builds try all sets if there are few elements. */
#include "fence/hitting_set.h"

#include <assert.h>
#include <stdlib.h>

#include "util/memory.h"

struct solver {
    const struct vector *clauses;
    const uint64_t *weights;
    uint32_t elements;
    bool *out;   /* elements that must not be taken (here) */
    bool *taken; /* elements of the set that is being built */
    bool *best;
    uint64_t best_weight;
    uint32_t *hits; /* by clause: how many of its elements are taken */
    bool *used;     /* scratch: elements of the clauses that the bound has counted */
};

static const struct vector *clause_at(const struct solver *solver, size_t clause) {
    return vector_at(solver->clauses, clause);
}

static uint32_t element_at(const struct vector *clause, size_t index) {
    return *(uint32_t *)vector_at(clause, index);
}

static bool clause_has(const struct vector *clause, uint32_t element) {
    for (size_t i = 0; i < clause->count; i++) {
        if (element_at(clause, i) == element) {
            return true;
        }
    }
    return false;
}

/* Does `other` hit every clause that `element` hits? */
static bool covers(const struct solver *solver, uint32_t other, uint32_t element) {
    for (size_t c = 0; c < solver->clauses->count; c++) {
        const struct vector *clause = clause_at(solver, c);
        if (clause_has(clause, element) && !clause_has(clause, other)) {
            return false;
        }
    }
    return true;
}

/* Is the first of two elements before the second in the first clause that has both? */
static bool stands_before(const struct solver *solver, uint32_t one, uint32_t other) {
    for (size_t c = 0; c < solver->clauses->count; c++) {
        const struct vector *clause = clause_at(solver, c);
        if (!clause_has(clause, one) || !clause_has(clause, other)) {
            continue;
        }
        for (size_t i = 0; i < clause->count; i++) {
            if (element_at(clause, i) == one || element_at(clause, i) == other) {
                return element_at(clause, i) == one;
            }
        }
    }
    return one < other;
}

static void leave_out_dominated(struct solver *solver) {
    for (uint32_t e = 0; e < solver->elements; e++) {
        for (uint32_t other = 0; other < solver->elements && !solver->out[e]; other++) {
            if (other == e || solver->out[other] || solver->weights[other] > solver->weights[e] ||
                !covers(solver, other, e)) {
                continue;
            }
            bool same = solver->weights[other] == solver->weights[e] && covers(solver, e, other);
            solver->out[e] = !same || stands_before(solver, other, e);
        }
    }
}

/* A lower bound for the cost of hitting the rest; *smallest is the clause to branch on.  UINT64_MAX: impossible. */
static uint64_t rest_bound(struct solver *solver, size_t *smallest) {
    uint64_t bound = 0;
    size_t fewest = SIZE_MAX;
    memset(solver->used, 0, solver->elements * sizeof *solver->used);
    for (size_t c = 0; c < solver->clauses->count; c++) {
        const struct vector *clause = clause_at(solver, c);
        uint64_t cheapest = UINT64_MAX;
        size_t possible = 0;
        bool apart = true;
        for (size_t i = 0; solver->hits[c] == 0 && i < clause->count; i++) {
            uint32_t element = element_at(clause, i);
            if (!solver->out[element]) {
                possible++;
                apart = apart && !solver->used[element];
                cheapest = solver->weights[element] < cheapest ? solver->weights[element] : cheapest;
            }
        }
        if (solver->hits[c] > 0) {
            continue;
        }
        if (possible == 0) {
            return UINT64_MAX;
        }
        if (possible < fewest) {
            fewest = possible;
            *smallest = c;
        }
        if (apart) {
            bound += cheapest;
            for (size_t i = 0; i < clause->count; i++) {
                solver->used[element_at(clause, i)] = true;
            }
        }
    }
    return bound;
}

static void take(struct solver *solver, uint32_t element, bool on) {
    solver->taken[element] = on;
    for (size_t c = 0; c < solver->clauses->count; c++) {
        if (clause_has(clause_at(solver, c), element)) {
            solver->hits[c] += on ? 1 : UINT32_MAX;
        }
    }
}

static void branch(struct solver *solver, uint64_t weight) {
    size_t smallest = SIZE_MAX;
    uint64_t bound = rest_bound(solver, &smallest);
    if (bound == UINT64_MAX || weight + bound >= solver->best_weight) {
        return;
    }
    if (smallest == SIZE_MAX) {
        solver->best_weight = weight;
        memcpy(solver->best, solver->taken, solver->elements * sizeof *solver->best);
        return;
    }
    const struct vector *clause = clause_at(solver, smallest);
    bool *tried = memory_allocate((clause->count + 1) * sizeof *tried);
    for (size_t i = 0; i < clause->count; i++) {
        uint32_t element = element_at(clause, i);
        if (!solver->out[element]) {
            take(solver, element, true);
            branch(solver, weight + solver->weights[element]);
            take(solver, element, false);
            solver->out[element] = tried[i] = true; /* the rest is searched without it */
        }
    }
    for (size_t i = 0; i < clause->count; i++) {
        if (tried[i]) {
            solver->out[element_at(clause, i)] = false;
        }
    }
    free(tried);
}

#ifndef NDEBUG
#define MOST_TRIED 10u /* elements, of which all sets are tried */

static bool hits_all(const struct solver *solver, const bool *set, uint32_t without) {
    for (size_t c = 0; c < solver->clauses->count; c++) {
        const struct vector *clause = clause_at(solver, c);
        bool hit = false;
        for (size_t i = 0; i < clause->count; i++) {
            hit = hit || (set[element_at(clause, i)] && element_at(clause, i) != without);
        }
        if (!hit) {
            return false;
        }
    }
    return true;
}

static uint64_t cheapest_of_all(const struct solver *solver) {
    uint64_t cheapest = UINT64_MAX;
    for (uint32_t bits = 0; bits < 1u << solver->elements; bits++) {
        bool set[MOST_TRIED] = {false};
        uint64_t weight = 0;
        for (uint32_t e = 0; e < solver->elements; e++) {
            set[e] = bits >> e & 1;
            weight += set[e] ? solver->weights[e] : 0;
        }
        cheapest = weight < cheapest && hits_all(solver, set, UINT32_MAX) ? weight : cheapest;
    }
    return cheapest;
}
#endif

/* Asserts H1 to H3. */
static void hitting_set_check(const struct solver *solver) {
#ifndef NDEBUG
    bool found = solver->best_weight != UINT64_MAX;
    uint64_t weight = 0;
    assert((!found || hits_all(solver, solver->best, UINT32_MAX)) && "every clause is hit (H1)");
    for (uint32_t e = 0; found && e < solver->elements; e++) {
        weight += solver->best[e] ? solver->weights[e] : 0;
        assert((!solver->best[e] || !hits_all(solver, solver->best, e)) && "every element is needed (H2)");
    }
    assert((!found || weight == solver->best_weight) && "the weight is that of the elements");
    assert((solver->elements > MOST_TRIED || cheapest_of_all(solver) == solver->best_weight) &&
           "no set is cheaper (H3)");
#else
    (void)solver;
#endif
}

bool hitting_set_find(const struct vector *clauses, const uint64_t *weights, uint32_t elements, bool *chosen) {
    struct solver solver = {
        .clauses = clauses,
        .weights = weights,
        .elements = elements,
        .out = memory_allocate(elements + 1),
        .taken = memory_allocate(elements + 1),
        .best = chosen,
        .best_weight = UINT64_MAX,
        .hits = memory_allocate((clauses->count + 1) * sizeof *solver.hits),
        .used = memory_allocate(elements + 1),
    };
    memset(chosen, 0, elements * sizeof *chosen);
    leave_out_dominated(&solver);
    branch(&solver, 0);
    hitting_set_check(&solver);
    free(solver.out);
    free(solver.taken);
    free(solver.hits);
    free(solver.used);
    return solver.best_weight != UINT64_MAX;
}
