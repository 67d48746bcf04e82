/* The fences that would stop an execution.
 *
 * A full fence at a place stops the execution if its thread continued from there, to its next step, and its buffer was
 * never empty in between.  A store barrier stops it if a store from after the place reached memory before one from
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

/* The two accesses between which an element is. */
struct reason {
    uint32_t element;
    uint32_t first;       /* position of the store that is delayed */
    uint32_t second;      /* position of the later access; 0: only steps of other threads */
    bool second_is_store; /* the later access is a store, which the first one is delayed past in memory; otherwise it is
                             a load */
    uint64_t serial;      /* of the store, in its thread */
    uint32_t slot;        /* of the thread */
    char thread[24];
    char first_name[64];
    char second_name[64];
};

struct clause {
    struct vector elements; /* of uint32_t, in the order in which the execution reaches them */
    struct vector reasons;  /* of struct reason: one for each element */
    bool delays;            /* some store is delayed past a later step of its thread, or past a later store */
};

void clause_init(struct clause *clause);
void clause_delete(struct clause *clause);

/* `program` was made by marked_choose and prepared; the execution is one of it. */
void clause_find(struct clause *clause, enum fence_goal goal, const struct marked *marked,
                 const struct program *program, const struct execution *execution);

/* Lets stores reach memory as early as the execution allows, so that only few fences stop it. */
void execution_hasten(struct execution *execution, enum fence_goal goal, const struct program *program,
                      struct limits *limits);

#endif
