/* The smallest set of fences that makes a program what it is to be.
 *
 * The program is checked with the fences that there are; at first there are none.  Every execution that shows that they
 * do not do gives a clause: the fences of which one is needed to stop it.  The next set to try is a cheapest one that
 * has a fence of every clause.  When a set does, no cheaper one can: each misses some clause, and leaves that execution
 * possible. */
#ifndef PICKET_FENCE_SYNTHESIS_H
#define PICKET_FENCE_SYNTHESIS_H

#include "fence/clause.h"

enum synthesis_end {
    SYNTHESIS_DONE,       /* see kinds and reasons; perhaps no fence is needed */
    SYNTHESIS_IMPOSSIBLE, /* there is an execution that no fence stops, not even one that could stand anywhere */
    SYNTHESIS_NO_PLACE,   /* there is an execution that no fence at a place stops */
    SYNTHESIS_LIMIT,      /* see message */
    SYNTHESIS_REFUSED,    /* likewise: there is something in the program that cannot be decided */
    SYNTHESIS_DEFECT,     /* likewise */
};

struct synthesis {
    enum fence_goal goal;
    bool weigh_loops; /* a fence costs ten times as much for every loop around it */
    const struct marked *marked;
    struct task task; /* all but the program */
    void (*prepare)(struct program *program, uint32_t unroll);

    enum synthesis_end end;
    uint8_t *kinds;        /* by place: enum fence_kind */
    struct vector clauses; /* of struct vector (of uint32_t) */
    struct vector reasons; /* of struct reason: one for each fence of the set */
    struct vector all;     /* of struct reason: of all clauses */
    struct vector starts;  /* of size_t: where the reasons of each clause begin in `all` */
    struct verdict last;   /* of the program with the fences */
    const char *engine;    /* that gave it */
    uint64_t checks;
    uint64_t undecided; /* sets that may do, though they are not robust: if there are any, a smaller set may do */
    char message[256];
    struct machine_error error; /* impossible, safety: the error */
};

void synthesis_init(struct synthesis *synthesis, const struct marked *marked);
void synthesis_delete(struct synthesis *synthesis);

void synthesis_run(struct synthesis *synthesis);

/* Is the program with these fences what it is to be?  For those who want to see for themselves. */
void synthesis_try(const struct synthesis *synthesis, const uint8_t *kinds, struct answer *answer);

#endif
