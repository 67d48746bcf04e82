/* Flattening: every thread becomes one flow graph.
 *
 * The function in which a thread starts (the entry, and every one that a THREAD_CREATE names) gets the code of all its
 * callees.  The program stays the same step by step: the same threads take the same visible steps in the same order
 * with the same choices, so an execution of one program is an execution of the other. */
#ifndef PICKET_IR_FLATTEN_H
#define PICKET_IR_FLATTEN_H

#include "ir/program.h"

/* Makes `flat` from `program`.  A recursive function is inlined into itself `recursion` times, then the execution is
 * cut. Returns NULL, or the reason for which that is impossible (a constant text). */
const char *program_flatten(const struct program *program, uint32_t recursion, struct program *flat);

/* Makes `unfolded` from a flat program: each back edge leads to a new copy of the thread's code, and after `back_edges`
 * of them the execution is cut (CUT_FRONTIER).  The flow graph then has no cycle; waiting loops are unfolded like
 * others. Returns NULL, or the reason for which that is impossible. */
const char *program_unfold(const struct program *flat, uint32_t back_edges, struct program *unfolded);

/* Is there a cycle in the flow graph of a function in which a thread starts?  With `in_source` only one with an
 * instruction that has a line in the user's source counts. */
bool program_has_cycles(const struct program *flat, bool in_source);

/* Does a thread start in this function? */
bool program_starts_thread(const struct program *program, uint32_t function);

void program_copy(const struct program *program, struct program *copy);

#endif
