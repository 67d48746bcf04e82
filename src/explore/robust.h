/* Robustness: does the store buffer add any behaviour at all?
 *
 * A trace has program order, store order, reads-from and from-reads.  An execution behaves as one under SC exactly when
 * these together have no cycle.  Here the trace of an explored execution is tested for one. */
#ifndef PICKET_EXPLORE_ROBUST_H
#define PICKET_EXPLORE_ROBUST_H

#include "explore/chronological.h"

/* How an event of a cycle leads to the next one. */
enum cycle_edge {
    CYCLE_PROGRAM_ORDER,
    CYCLE_STORE_ORDER, /* both write, the next one later */
    CYCLE_READS_FROM,  /* the next one reads what this one wrote, or something newer */
    CYCLE_FROM_READS,  /* this one reads something older than what the next one writes */
};

struct cycle_event {
    uint32_t event;
    enum cycle_edge edge; /* to the next event of the cycle; the last one leads to the first */
};

/* Fills `cycle` (of struct cycle_event) with a shortest cycle; false if there is none. */
bool robust_find_cycle(const struct chronological *execution, struct vector *cycle);

#endif
