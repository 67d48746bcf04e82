/* Finds the smallest set of fences with which a program meets its goal.
 *
 * The program is checked with the present set of fences, at first the empty one.  Every execution that shows the set to
 * be insufficient gives a clause: the fences of which one is needed to stop it.  The next set to try is a cheapest one
 * that has a fence of every clause.  When a set suffices, no cheaper one does: each misses some clause, and leaves that
 * execution possible. */
#ifndef PICKET_FENCE_SYNTHESIS_H
#define PICKET_FENCE_SYNTHESIS_H

#include "fence/clause.h"

enum synthesis_end {
    SYNTHESIS_DONE,       /* see kinds and reasons; perhaps no fence is needed */
    SYNTHESIS_IMPOSSIBLE, /* there is an execution that no fence stops, at any position */
    SYNTHESIS_NO_PLACE,   /* there is an execution that no fence at a place stops */
    SYNTHESIS_LIMIT,      /* see message */
    SYNTHESIS_REFUSED,    /* likewise: the program has something that cannot be decided */
    SYNTHESIS_DEFECT,     /* likewise */
};

struct synthesis {
    enum fence_goal goal;
    bool weigh_loops; /* each loop around a fence multiplies its cost by ten */
    const struct marked *marked;
    struct task task; /* all but the program */
    void (*prepare)(struct program *program, uint32_t unroll);

    enum synthesis_end end;
    uint8_t *kinds;        /* by place: enum fence_kind */
    struct vector clauses; /* of struct vector (of uint32_t) */
    struct vector reasons; /* of struct reason: one for each fence of the set */
    struct vector all;     /* of struct reason: of all clauses */
    struct vector starts;  /* of size_t: by clause, index of its first reason in `all` */
    struct verdict last;   /* of the program with the fences */
    const char *engine;    /* that gave it */
    uint64_t checks;
    uint64_t undecided; /* number of sets that may suffice, though they are not robust: if there are any, a smaller set
                           may suffice */
    char message[1024];
    struct machine_error error; /* impossible, safety: the error */
};

void synthesis_init(struct synthesis *synthesis, const struct marked *marked);
void synthesis_delete(struct synthesis *synthesis);

void synthesis_run(struct synthesis *synthesis);

/* Chooses, as `kinds`, one fence that stops an execution of the program without fences, which ends in an error; other
 * executions are not considered.  False if no fence at a place does. */
bool synthesis_stop(struct synthesis *synthesis, const struct witness *witness);

/* Does the program with these fences meet its goal?  For checks from outside. */
void synthesis_try(const struct synthesis *synthesis, const uint8_t *kinds, struct answer *answer);

#endif
