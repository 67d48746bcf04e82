/* A cycle in the trace of an execution.
 *
 * A trace has program order, store order, reads-from and from-reads.  An execution behaves as one under SC exactly if
 * the union of these is acyclic.  Here the trace of an explored execution is tested for a cycle.
 *
 * Failed reads of waiting loops count as events.  An explored execution has none; they are added where they are
 * possible, as many together as one execution can have. */
#ifndef PICKET_ROBUST_CYCLE_H
#define PICKET_ROBUST_CYCLE_H

#include "explore/chronological.h"

/* The edge from an event of a cycle to the next one. */
enum cycle_edge {
    CYCLE_PROGRAM_ORDER,
    CYCLE_STORE_ORDER, /* both write, the next one later */
    CYCLE_READS_FROM,  /* the next one reads the store of this one, or a newer one */
    CYCLE_FROM_READS,  /* this one reads an older value than the next one writes */
};

struct cycle_event {
    uint32_t event;       /* of a failed read: the one that ended the loop, or NO_EVENT */
    uint32_t failed;      /* its index among the execution's failed reads, or NO_EVENT */
    enum cycle_edge edge; /* to the next event of the cycle; the last one leads to the first */
};

/* Sets `cycle` (of struct cycle_event) to a shortest cycle; false if there is none.  If failed reads are collected, the
 * execution is maximal. */
bool cycle_find_shortest(struct chronological *execution, struct vector *cycle);

#endif
