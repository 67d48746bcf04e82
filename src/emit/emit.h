/* A Program printed as C that other tools, and Picket itself, can read. */
#ifndef PICKET_EMIT_EMIT_H
#define PICKET_EMIT_EMIT_H

#include <stdio.h>

#include "ir/program.h"

/* Whose words are used for what C has none for: assumptions, atomic sections, any value, errors. */
enum dialect {
    DIALECT_SVCOMP, /* __VERIFIER_*, pthreads */
    DIALECT_CBMC,   /* __CPROVER_*, pthreads */
    DIALECT_PICKET, /* <picket.h>, and one function for each instruction that C has no words for */
    DIALECT_COUNT
};
extern const char *const dialect_names[DIALECT_COUNT];

/* Prints a program that passes program_check.  `file` is what the output is called in its own #line directives. */
void emit_program(const struct program *program, enum dialect dialect, const char *file, FILE *out);

#endif
