/* What no execution under SC has: a shortest cycle in the trace of a violation's execution, as `picket robust` finds
 * it.  Each of its accesses must come before the next one, and the last before the first. */
#ifndef PICKET_EXPLAIN_CYCLE_H
#define PICKET_EXPLAIN_CYCLE_H

#include "explain/moments.h"

struct cycle_access {
    uint32_t thread; /* slot */
    uint32_t pos;
    uint64_t address;
    uint32_t size;
    uint8_t kind; /* enum step_kind */
    uint8_t sub;  /* of an operation: which */
    bool writes;
    bool waits;        /* a failed read of a waiting loop: its value is not known */
    uint64_t value[2]; /* written, or else read */
};

/* Fills `cycle` (of struct cycle_access), which the caller has initialised; it stays empty if there is none, or the
 * execution is too long. */
void cycle_find(const struct moments *moments, struct vector *cycle);

#endif
