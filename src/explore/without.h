/* Memory without some events: what it would hold if an event, and all that happens after it, had not come.  The chains
 * know what each write has overwritten.  What a step would do there, the machine says. */
#ifndef PICKET_EXPLORE_WITHOUT_H
#define PICKET_EXPLORE_WITHOUT_H

#include "explore/chronological.h"

struct without {
    struct view view; /* the first member: it leads back here */
    struct chronological *chronological;
    uint32_t thread;     /* whose step is asked about */
    uint32_t last_step;  /* of that thread: what comes before these stays */
    uint32_t last_drain; /* or NO_EVENT */
    uint32_t earlier;    /* the event */
    bool others;         /* also without all later events of other threads, as far as the thread does not need them */
    bool met_others;     /* what was asked for might be different without those */
};

void without_init(struct without *without, struct chronological *chronological, uint32_t thread, uint32_t earlier);

/* Is this event, not before the earlier one, left out? */
bool without_removes(const struct without *without, uint32_t event);

/* The labels that the thread's next step has without the events, as many as it has choices there; if it has as many as
 * in the execution, only that of `transition`.  They are added to chronological.reversed; returns how many.  0 if the
 * step is not enabled. */
uint32_t without_add_labels(const struct without *without, const struct label *label);

#endif
