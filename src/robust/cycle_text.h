/* The cycle of an execution as text, a line for each edge. */
#ifndef PICKET_ROBUST_CYCLE_TEXT_H
#define PICKET_ROBUST_CYCLE_TEXT_H

#include "robust/execution.h"

struct cycle_text {
    struct vector lines; /* of char * */
    const char *file;    /* of a store whose program order is on the cycle; NULL: there is none */
    uint32_t line;
};

void cycle_text_init(struct cycle_text *text, const struct program *program, const struct execution *execution);
void cycle_text_delete(struct cycle_text *text);

#endif
