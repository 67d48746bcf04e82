/* The rules that every Program keeps.  In debug builds they are checked after front ends and passes, and for a program
 * that is read from disk in every build. */
#ifndef PICKET_IR_CHECK_H
#define PICKET_IR_CHECK_H

#include "ir/program.h"

/* Returns true, or false with a description of the first broken rule in `message`. */
bool program_check(const struct program *program, char *message, size_t size);

#endif
