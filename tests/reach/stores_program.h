/* Generated programs of a thread that stores much, some in a loop, and one that reads what has been
 * stored: long buffers, with several values at one place, stores of different sizes that overlap, store barriers.  What
 * a thread has read is kept in a variable of its own, so that the final states tell in which order stores have reached
 * memory. */
#ifndef PICKET_TESTS_REACH_STORES_PROGRAM_H
#define PICKET_TESTS_REACH_STORES_PROGRAM_H

#include <stdint.h>

#include "ir/program.h"

void stores_program_draw(uint64_t seed, struct program *program);

#endif
