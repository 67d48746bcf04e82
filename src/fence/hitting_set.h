/* A cheapest hitting set: of every clause at least one element, at the least total weight.  Exact, by branch and bound.
 *
 * Clauses are executions that must be stopped, elements are fences; there are some dozens of each. */
#ifndef PICKET_FENCE_HITTING_SET_H
#define PICKET_FENCE_HITTING_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "util/vector.h"

/* `clauses` is of struct vector (of uint32_t, elements); `weights` are by element, none of them 0.  Marks the elements
 * of a cheapest set in `chosen`; of several such sets the one whose elements come first in their clauses.  False if a
 * clause is empty. */
bool hitting_set_find(const struct vector *clauses, const uint64_t *weights, uint32_t elements, bool *chosen);

#endif
