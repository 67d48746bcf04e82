/* Passes: each replaces a Program by one that means the same, or says more about its loops. */
#ifndef PICKET_IR_PASSES_H
#define PICKET_IR_PASSES_H

#include "ir/program.h"

/* Removes unreachable code, results that nobody reads, and jumps to jumps. */
void pass_simplify(struct program *program);

/* Removes results that are not read before they are written again: for programs whose registers share numbers. */
void pass_drop_dead(struct program *program);

/* Nondeterministic values: cuts the domain down by assumptions on the value before its next other use. */
void pass_narrow(struct program *program);

/* Finds loops whose rounds may do nothing but wait: AWAIT at the start of a round, AGAIN where it goes back. */
void pass_awaits(struct program *program);

/* Lets registers share numbers, so that frames and states are small. */
void pass_compact(struct program *program);

/* Cuts executions that go round a loop, other than an await, more than `bound` times. */
void pass_unroll(struct program *program, uint32_t bound);

/* A creation of threads on a cycle of the flow graph creates at most `most` of them, then its thread stays where it is
 * (HALT). */
void pass_creations(struct program *program, uint32_t most);

/* Is it an operation without effect but its result, that cannot fail? */
bool instruction_is_pure(const struct instruction *instruction);

#endif
