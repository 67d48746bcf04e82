/* The shortest execution that ends in a given error.
 *
 * A store (or end of an object) is *late* if the next transition is not its drain; the last transition of all is not
 * late.  An execution costs, in this order: its late stores, its context switches, its steps, where a store together
 * with its drain is one step and a drain is no switch.  So an execution without late stores is one of SC, and it is
 * found first if there is one.
 *
 * The search goes from cheap to expensive over states of the machine and the thread that came last.  What it finds
 * depends on the error, not on the execution with which it was found, unless it is confined to what the threads do in
 * that one. */
#ifndef PICKET_EXPLAIN_SHORTEST_H
#define PICKET_EXPLAIN_SHORTEST_H

#include "engine/engine.h"

enum known { NOT_KNOWN, KNOWN_FALSE, KNOWN_TRUE };

struct shortest_task {
    const struct program *program;
    const struct witness *witness; /* an execution that ends in the error; it replays */
    struct limits *limits;
    double seconds;     /* of processor time; 0: no such limit */
    bool confined;      /* only what each thread does in the witness, in other orders */
    uint64_t memory_mb; /* 0: none but the limits' own */
};

struct cost {
    uint32_t late;
    uint32_t switches;
    uint32_t steps;
};

struct shortest {
    bool found;          /* `steps` are another execution of the error, which costs less than the witness or as much */
    bool proved;         /* no execution of the error costs less */
    enum known sc;       /* has SC an execution of this error? */
    struct cost cost;    /* of what was found, or of the witness */
    struct vector steps; /* of struct witness_step */
    size_t found_with;   /* steps of the witness that was given */
    uint64_t states;
};

void shortest_init(struct shortest *shortest);
void shortest_delete(struct shortest *shortest);

/* Searches.  At a limit `shortest` has what was found until then. */
void shortest_find(const struct shortest_task *task, struct shortest *shortest);

/* Replaces the verdict's steps by those found.  False if they do not end in the error, which is a defect; the verdict
 * is then unchanged. */
bool shortest_adopt(const struct shortest *shortest, const struct program *program, struct verdict *verdict);

/* Likewise an execution under SC of the verdict's program and error: every store drains at once.  False if it does not
 * end in the verdict's error. */
bool shortest_adopt_sc(const struct program *program, const struct witness *sc, struct verdict *verdict);

/* What an execution costs. */
struct cost shortest_cost(const struct program *program, const struct witness *witness);

/* Less than 0, 0 or more than 0. */
int cost_compare(struct cost one, struct cost other);

#endif
