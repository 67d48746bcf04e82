/* An execution under SC with the trace of a given one.
 *
 * The order in which a thread's steps are in its program, and the order in which conflicting accesses reach memory,
 * have a cycle or not.  If not, all steps can be sorted by them; every load then reads the same value though each store
 * reaches memory at once. */
#ifndef PICKET_EXPLAIN_LINEAR_H
#define PICKET_EXPLAIN_LINEAR_H

#include "engine/witness.h"

/* Fills `steps` (of struct witness_step) with the steps of the witness in such an order, without drains.  False if
 * there is none, or if the execution is too long.  The caller has to run the steps: operations on locks are ordered as
 * in the witness, which is stricter than necessary, and the ends of objects may be unordered. */
bool linear_find(const struct program *program, const struct witness *witness, struct vector *steps);

#endif
