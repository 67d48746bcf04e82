/* What Picket does with a program that it has accepted, in small. */
#ifndef PICKET_FUZZ_EXERCISE_H
#define PICKET_FUZZ_EXERCISE_H

#include "ir/program.h"

/* Prints the program in every form; prepares it as `check` does; takes some hundred random steps under each memory
 * model, with undoing and hashing between them.  Deletes the program.  `seed` decides what differs from run to run. */
void exercise_program(struct program *program, uint64_t seed);

#endif
