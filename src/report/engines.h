/* What each of several engines has done for one question, for the end of a report. */
#ifndef PICKET_REPORT_ENGINES_H
#define PICKET_REPORT_ENGINES_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "util/vector.h"

struct engine_row {
    const char *name;
    const char *state; /* "answered", "ended", "stopped", "refused", "memory full", "failed", "not needed" */
    char *bounds;      /* the strongest bounds within which it has found nothing; "": none */
    char *stood;       /* its last progress; "" if there was none */
    char *reason;      /* why it has no answer; "" */
    char *defect;      /* what is wrong with it; NULL: nothing */
    char *complaint;   /* with a defect: what it wrote to stderr; NULL: nothing */
    double time_s;     /* of the processor */
    uint64_t memory_mb;
};

struct engines_report {
    struct vector rows;   /* of struct engine_row */
    const char *answered; /* the engine that did; "auto": none of them alone */
    bool verbose;         /* the text has those that were not needed, too */
};

void engines_init(struct engines_report *engines);
void engines_delete(struct engines_report *engines);
bool engines_have_defect(const struct engines_report *engines);

void engines_print(const struct engines_report *engines, FILE *out);
json_t *engines_json(const struct engines_report *engines);
json_t *engines_defects_json(const struct engines_report *engines);

#endif
