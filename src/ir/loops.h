/* Loops: which have an exit; and the loops of the user's program that do more than wait: are there none, only loops
 * with an exit, or one that need not end? */
#ifndef PICKET_IR_LOOPS_H
#define PICKET_IR_LOOPS_H

#include "ir/flow.h"

/* Does the block only fail or stop? */
bool block_is_dead_end(const struct flow *flow, uint32_t block);

/* Does no edge leave the loop, except to such blocks? */
bool loop_is_endless(const struct flow *flow, const struct loop *loop);

enum looping { LOOPS_NONE, LOOPS_SOME, LOOPS_ENDLESS };
enum looping program_find_loops(const struct program *program);

#endif
