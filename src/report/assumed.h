/* The assumptions of a verdict about the outside, for every command that reports one. */
#ifndef PICKET_REPORT_ASSUMED_H
#define PICKET_REPORT_ASSUMED_H

#include <jansson.h>
#include <stdio.h>

#include "engine/engine.h"

/* A line each.  `lifts`: the command has the options that lift assumptions. */
void assumed_print(const struct verdict *verdict, bool lifts, FILE *out);
/* The field `assumptions`: a list of objects. */
json_t *assumed_json(const struct verdict *verdict, bool lifts);
/* The field `bounds`: all that bounds the verdict, what is assumed too, as one text. */
json_t *assumed_bounds_json(const struct verdict *verdict);

#endif
