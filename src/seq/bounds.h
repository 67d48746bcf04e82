/* How often loops iterate: which were cut in a model, raising their bounds, and naming them.
 *
 * A loop is named by the first instruction of its header in the flat program's code; ANOTHER_BOUND stands for the depth
 * of recursion. */
#ifndef PICKET_SEQ_BOUNDS_H
#define PICKET_SEQ_BOUNDS_H

#include "seq/symbolic.h"

/* Is the loop in the list? */
bool bounds_have(const struct vector *loops, uint32_t loop);

/* Adds the loops that are cut in the solver's model, each once. */
void bounds_cut(struct symbolic *execution, struct vector *loops);

/* Doubles the bounds that the solver's model has met. */
void bounds_raise(struct symbolic *execution, uint32_t *recursion);

/* Executions whose loops iterate at most so often have been searched: no loop that may be cut has a smaller bound. */
uint32_t bounds_least(const struct symbolic *execution, uint32_t recursion);

/* Says how often these loops may iterate, by file and line: as many as the text has room for, and how many more there
 * are.  `loops`: NULL: all that may be cut. */
void bounds_describe(const struct symbolic *execution, const struct vector *loops, uint32_t recursion, char *text,
                     size_t size);

#endif
