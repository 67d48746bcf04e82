/* Flattening: every thread becomes one flow graph.
 *
 * The function in which a thread starts (the entry, and every one that a THREAD_CREATE names) gets the code of all
 * that it calls.  What the program does stays the same, step by step: the same threads take the same visible steps in
 * the same order with the same choices, so that an execution of one program is an execution of the other. */
#ifndef PICKET_IR_FLATTEN_H
#define PICKET_IR_FLATTEN_H

#include "ir/program.h"

/* Makes `flat` from `program`.  A function that calls itself is put into itself `recursion` times, then the execution
 * is cut.  Returns NULL, or why it cannot be done (a text that the caller does not own). */
const char *program_flatten(const struct program *program, uint32_t recursion, struct program *flat);

/* Makes `unfolded` from a flat program: way back after way back leads into a new copy of the thread's code, and after
 * `ways_back` of them the execution is cut (CUT_FRONTIER).  The flow graph has no cycle any more; waiting loops are
 * unfolded like others.  Returns NULL, or why it cannot be done. */
const char *program_unfold(const struct program *flat, uint32_t ways_back, struct program *unfolded);

/* Is there a cycle in the flow graph of a function in which a thread starts?  `in_source`: one with an instruction that
 * has a line in the user's source. */
bool program_has_cycles(const struct program *flat, bool in_source);

/* Does a thread start in this function? */
bool program_starts_thread(const struct program *program, uint32_t function);

void program_copy(const struct program *program, struct program *copy);

#endif
