/* Generated programs of threads that store much before they look at what others have stored: long buffers, with several
 * values at one place, stores of different sizes that overlap, store barriers.  What each load reads is kept in a
 * variable of its own, so that the final states tell in which order stores have reached memory. */
#ifndef PICKET_TESTS_REACH_STORES_PROGRAM_H
#define PICKET_TESTS_REACH_STORES_PROGRAM_H

#include <stdint.h>

#include "ir/program.h"

void stores_program_draw(uint64_t seed, struct program *program);

#endif
