/* Which fences would stop an execution.
 *
 * A full fence at a place stops it if its thread went on from there, to its next step, without its buffer being empty
 * at any moment in between.  A store barrier stops it if a store from behind the place reached memory before one from
 * before it.  A set of fences with none of these leaves the execution possible, exactly as it is; so every set that
 * repairs the program has one of them. */
#ifndef PICKET_FENCE_CLAUSE_H
#define PICKET_FENCE_CLAUSE_H

#include "fence/markers.h"
#include "fence/question.h"

/* An element is a fence at a place: a full one or a store barrier. */
static inline uint32_t element_of(uint32_t place, enum fence_kind kind) {
    return 2 * place + (kind == FENCE_STORE);
}
static inline uint32_t element_place(uint32_t element) {
    return element / 2;
}
static inline enum fence_kind element_kind(uint32_t element) {
    return element % 2 ? FENCE_STORE : FENCE_FULL;
}

/* What an element keeps apart. */
struct reason {
    uint32_t element;
    uint32_t first;       /* position of the store that is delayed */
    uint32_t second;      /* position of what comes before it; 0: nothing but the steps of other threads */
    bool second_is_store; /* which the first one is delayed past in memory; otherwise a load */
    uint64_t serial;      /* of the store, in its thread */
    uint32_t slot;        /* of the thread */
    char thread[24];
    char first_name[64];
    char second_name[64];
};

struct clause {
    struct vector elements; /* of uint32_t, in the order in which the execution comes to them */
    struct vector reasons;  /* of struct reason: one for each element */
    bool delays;            /* some store is delayed past a later step of its thread, or past a later store */
};

void clause_init(struct clause *clause);
void clause_delete(struct clause *clause);

/* `program` was made by marked_choose and prepared; the execution is one of it. */
void clause_find(struct clause *clause, enum fence_goal goal, const struct marked *marked,
                 const struct program *program, const struct execution *execution);

/* Lets stores reach memory as early as the execution can do with, so that it is stopped by few fences only. */
void execution_hasten(struct execution *execution, enum fence_goal goal, const struct program *program,
                      struct limits *limits);

#endif
