/* Triangular races (Owens, Reasoning about the implementation of concurrency abstractions on x86-TSO, 2010): under SC
 * one thread is at a load, another at a write of the same bytes, and the first has stored to other bytes since it last
 * drained its buffer.  A program without them has the same behaviour under TSO as under SC. */
#ifndef PICKET_FENCE_TRIANGULAR_H
#define PICKET_FENCE_TRIANGULAR_H

#include "fence/question.h"

/* A race in the last state of an execution. */
struct triangle {
    uint32_t thread; /* slot of the one that loads */
    uint64_t store;  /* its latest step that stored to other bytes than it loads, counted from 0 over all transitions */
};

void triangular_ask(const struct task *task, struct answer *answer);

/* Does the execution end in a race? */
bool triangular_is_race(const struct program *program, const struct execution *execution);

/* Follows an execution, one transition at a time, to find its race. */
struct pending_stores;
struct pending_stores *pending_stores_new(void);
void pending_stores_free(struct pending_stores *pending);
void pending_stores_follow(struct pending_stores *pending, struct machine *machine, struct transition transition);
bool pending_stores_race(const struct pending_stores *pending, struct machine *machine, struct triangle *triangle);

#endif
