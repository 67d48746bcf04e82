/* What must be proved under SC, as in Owicki and Gries: every claim and invariant holds at first, every step of a
 * thread establishes the claims to which it leads and preserves the invariants, and no step of another thread breaks a
 * claim; no assertion fails, and no step is another error.
 *
 * A transition is one step and the local code after it, up to the next point (facts.h).  What is proved of it may
 * assume every fact in the state before it. */
#ifndef PICKET_PROVE_OBLIGATIONS_H
#define PICKET_PROVE_OBLIGATIONS_H

#include "prove/questions.h"

enum obligation_kind {
    OBLIGATION_NO_FAILURE,    /* the instruction does not fail */
    OBLIGATION_CLAIM_INITIAL, /* the claim holds where a thread begins */
    OBLIGATION_CLAIM_REACHED, /* a claim is true when a thread reaches it */
    OBLIGATION_CLAIM_KEPT,    /* no step of another thread makes it false */
    OBLIGATION_INVARIANT_INITIAL,
    OBLIGATION_INVARIANT_KEPT,
    OBLIGATION_READS_REAL_VALUE, /* what a load returns is among what its annotation allows */
    OBLIGATION_READS_ONE_PLACE,  /* the condition of an abstraction reads only the place of the access */
    OBLIGATION_READS_POINTER,    /* if the place can hold an address: the condition allows only that address and null */
};

/* One that could not be shown. */
struct broken_obligation {
    enum obligation_kind kind;
    uint32_t class; /* of the instruction, claim or annotation */
    uint32_t index;
    uint32_t step_class; /* the step that breaks it */
    uint32_t step_index; /* UINT32_MAX: none */
    char *model;         /* memory in which it does; NULL: none is known */
    uint64_t value;      /* READS_REAL_VALUE: the value in memory */
    bool unanswered;
};

struct obligations {
    struct questions *questions;
    enum prove_seed seed;
    struct vector broken;  /* of struct broken_obligation */
    uint32_t assertions;   /* lines with an assertion or another explicit error that a thread may reach */
    uint32_t written;      /* of those, assertions of the program, not errors that the library reports */
    uint32_t claims;       /* annotations that claim something */
    uint32_t abstractions; /* that make something less certain */
    bool waits;            /* some operation can wait */
};

void obligations_init(struct obligations *obligations, struct questions *questions, enum prove_seed seed);
void obligations_delete(struct obligations *obligations);

/* Is anything asserted or claimed? */
static inline bool obligations_exist(const struct obligations *obligations) {
    return obligations->assertions > 0 || obligations->claims > 0;
}

/* Are all abstractions as they must be?  What is broken makes the annotation faulty. */
void obligations_check_abstractions(struct obligations *obligations);

/* Claims, invariants, assertions, errors. */
void obligations_prove(struct obligations *obligations);

#endif
