/* Evaluates the invariants that are numbered above the structs of chronological.h, tree.h and worker.h, as they are
 * written there.  Debug builds do so now and then, together with the checker (check.h); the cheap invariants are also
 * asserted where they could break. */
#ifndef PICKET_EXPLORE_INVARIANTS_H
#define PICKET_EXPLORE_INVARIANTS_H

#include "explore/worker.h"

/* Each returns the number of the first invariant that is broken, or 0. */
unsigned chronological_broken(struct chronological *chronological);
unsigned tree_broken(const struct tree *tree, uint32_t node);
unsigned worker_broken(struct worker *worker);

/* The worker is at the end of an execution: if the execution is one of those to be checked, checks everything.  A
 * violation is printed, with the execution, and ends the process. */
void worker_check(struct worker *worker);

#endif
