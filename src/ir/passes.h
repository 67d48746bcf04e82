/* Passes: each replaces a Program by one with the same meaning, or adds information about its loops. */
#ifndef PICKET_IR_PASSES_H
#define PICKET_IR_PASSES_H

#include "ir/program.h"

/* Removes unreachable code, results that are not read, and jumps to jumps. */
void pass_simplify(struct program *program);

/* Removes results that are not read before they are written again: for programs whose registers share numbers. */
void pass_drop_dead(struct program *program);

/* Reduces the domains of nondeterministic values by assumptions on the value before its next other use. */
void pass_narrow(struct program *program);

/* Lets weak compare-and-swaps that the front end has marked fail spuriously. */
void pass_weak(struct program *program);

/* Finds loops whose iterations may do nothing but wait: AWAIT at the start of an iteration, AGAIN at each back edge. */
void pass_awaits(struct program *program);

/* Lets registers share numbers, so that frames and states are small. */
void pass_compact(struct program *program);

/* Cuts executions in which a loop, other than an await, iterates more than `bound` times. */
void pass_unroll(struct program *program, uint32_t bound);

/* A creation of threads on a cycle of the flow graph creates at most `most` threads, then its thread stops (HALT). */
void pass_creations(struct program *program, uint32_t most);

/* Is it an operation that has no effect but its result, and cannot fail? */
bool instruction_is_pure(const struct instruction *instruction);

#endif
