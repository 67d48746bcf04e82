/* Errors in the user's input are values with a source position, collected here and printed in one place, in the form
 * `file:line:column: error: message`, followed by the source line and a caret if the file can be read. */
#ifndef PICKET_UTIL_DIAGNOSTICS_H
#define PICKET_UTIL_DIAGNOSTICS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "util/vector.h"

struct diagnostic {
    char *file; /* "" if none */
    uint32_t line;
    uint32_t column;
    char *message;
};

struct diagnostics {
    struct vector list; /* of struct diagnostic */
};

void diagnostics_init(struct diagnostics *diagnostics);
void diagnostics_delete(struct diagnostics *diagnostics);

void diagnostics_add(struct diagnostics *diagnostics, const char *file, uint32_t line, uint32_t column,
                     const char *format, ...) __attribute__((format(printf, 5, 6)));

bool diagnostics_empty(const struct diagnostics *diagnostics);
void diagnostics_print(const struct diagnostics *diagnostics, FILE *out);

/* The flat form in which a front end in its own process passes them on: one line each, fields separated by tabs. */
void diagnostics_write(const struct diagnostics *diagnostics, FILE *out);
void diagnostics_read(struct diagnostics *diagnostics, FILE *in);

#endif
