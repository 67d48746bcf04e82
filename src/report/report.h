/* A verdict for people and for programs. */
#ifndef PICKET_REPORT_REPORT_H
#define PICKET_REPORT_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "engine/engine.h"
#include "util/diagnostics.h"
#include "util/exit_code.h"

struct engines_report;
struct shortest;

struct report {
    const struct program *program;
    const char *engine;
    const char *omits; /* errors that the engine does not detect; NULL: none */
    enum memory_model model;
    double front_s;
    const char *witness_path;             /* NULL: none was written */
    bool quiet;                           /* no execution */
    bool full;                            /* every step and buffer, in columns */
    int terminal;                         /* standard output, if it has colours; 0: none */
    bool explain;                         /* causes are searched for */
    double explain_s;                     /* time for that search, and for the one for fences */
    const struct shortest *shortest;      /* of a violation; NULL: not searched for */
    const char *help;                     /* a patch with fences that help; NULL: there is none */
    bool help_checked;                    /* no error is reachable then; otherwise they stop this execution */
    const struct engines_report *engines; /* NULL: only one engine has run */
};

/* The error of a witness, and how it happens.  False if the witness does not replay: nothing is printed then. */
bool report_execution(const struct report *report, const struct witness *witness, FILE *out);

void report_text(const struct report *report, const struct verdict *verdict, FILE *out);
void report_json(const struct report *report, const struct verdict *verdict, FILE *out);

/* The fields with which every report begins, and an object printed as all are; the object is given away. */
json_t *report_head_json(const struct report *report, const struct verdict *verdict);
void report_print_json(json_t *object, FILE *out);

/* A run that ended before anything was verified. */
void report_error_json(const struct report *report, const struct diagnostics *diagnostics, FILE *out);

/* A run that a limit ended while the input was being read. */
void report_unread(const struct report *report, const char *reason, bool json, FILE *out);

enum exit_code verdict_exit_code(const struct verdict *verdict);

#endif
