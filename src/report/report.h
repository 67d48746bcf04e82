/* A verdict for people and for programs. */
#ifndef PICKET_REPORT_REPORT_H
#define PICKET_REPORT_REPORT_H

#include <stdio.h>

#include "engine/engine.h"
#include "util/diagnostics.h"
#include "util/exit_code.h"

struct report {
    const struct program *program;
    const char *engine;
    const char *omits; /* errors that the engine does not look for; NULL: none */
    enum memory_model model;
    double front_s;
    const char *witness_path; /* NULL: none was written */
    bool quiet;               /* no trace */
};

void report_text(const struct report *report, const struct verdict *verdict, FILE *out);
void report_json(const struct report *report, const struct verdict *verdict, FILE *out);

/* A run that ended before anything was verified. */
void report_error_json(const struct report *report, const struct diagnostics *diagnostics, FILE *out);

enum exit_code verdict_exit_code(const struct verdict *verdict);

#endif
