/* The rules that every Program keeps.  Front ends and passes are held to them in debug builds, and a program that is
 * read from disk in every build. */
#ifndef PICKET_IR_CHECK_H
#define PICKET_IR_CHECK_H

#include "ir/program.h"

/* Returns true, or false with a description of the first broken rule in `message`. */
bool program_check(const struct program *program, char *message, size_t size);

#endif
