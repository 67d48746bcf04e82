/* A violation's story as data. */
#ifndef PICKET_REPORT_STORY_JSON_H
#define PICKET_REPORT_STORY_JSON_H

#include <jansson.h>

#include "report/report.h"

/* Adds `steps`, the rows; `circumstances`; `outdated`, `cycle`, `cause` and `calls`, as far as they are known; the file
 * and line of a deadlock are those of the first lock of its cycle. */
void story_add_json(const struct report *report, const struct witness *witness, json_t *object);

#endif
