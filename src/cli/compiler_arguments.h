/* Arguments for the compiler: which are understood on the command line, and which a witness may contain. */
#ifndef PICKET_CLI_COMPILER_ARGUMENTS_H
#define PICKET_CLI_COMPILER_ARGUMENTS_H

#include <stdbool.h>

#include "util/vector.h"

/* Is it an argument for the compiler that is understood without `--`?  `takes_next`: its value is the next one. */
bool is_compiler_argument(const char *argument, bool *takes_next);

/* The first of the arguments (of char *) with which the compiler could run or write something, or that is not known not
 * to; NULL if there is none. */
const char *compiler_argument_refused(const struct vector *arguments);

#endif
