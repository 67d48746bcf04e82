/* How often loops iterate: which were cut in a model, raising their bounds, and naming them.
 *
 * The first instruction of a loop's header in the flat program's code identifies the loop; ANOTHER_BOUND stands for the
 * depth of recursion. */
#ifndef PICKET_SEQ_BOUNDS_H
#define PICKET_SEQ_BOUNDS_H

#include "seq/symbolic.h"

/* Is the loop in the list? */
bool bounds_have(const struct vector *loops, uint32_t loop);

/* Has one of these loops, which were cut, an exit?  Without one, no bound would be large enough.  `loops`: NULL: all
 * that may be cut. */
bool bounds_have_exits(const struct symbolic *execution, const struct vector *loops);

/* Adds the loops that are cut in the solver's model, each once. */
void bounds_cut(struct symbolic *execution, struct vector *loops);

/* Doubles the bounds that the solver's model reaches. */
void bounds_raise(struct symbolic *execution, uint32_t *recursion);

/* The number of iterations within which all executions have been searched: no loop that may be cut has a smaller
 * bound. */
uint32_t bounds_least(const struct symbolic *execution, uint32_t recursion);

/* Names the bounds of these loops, by file and line: as many as the text has room for, and the number of the others.
 * `loops`: NULL: all that may be cut. */
void bounds_describe(const struct symbolic *execution, const struct vector *loops, uint32_t recursion, char *text,
                     size_t size);

#endif
