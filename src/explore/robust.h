/* Robustness: does the store buffer add any behaviour at all?
 *
 * A trace has program order, store order, reads-from and from-reads.  An execution behaves as one under SC exactly when
 * these together have no cycle.  Here the trace of an explored execution is tested for one.
 *
 * Failed reads of waiting loops count as events.  An explored execution has none; they are added where they can have
 * been, as many together as one execution can have. */
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
    uint32_t event;       /* of a failed read: the one that ended the loop, or NO_EVENT */
    uint32_t failed;      /* its number among the execution's failed reads, or NO_EVENT */
    enum cycle_edge edge; /* to the next event of the cycle; the last one leads to the first */
};

/* Fills `cycle` (of struct cycle_event) with a shortest cycle; false if there is none.  If failed reads are noted, the
 * execution is maximal. */
bool robust_find_cycle(struct chronological *execution, struct vector *cycle);

#endif
