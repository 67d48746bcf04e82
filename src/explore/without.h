/* Memory without some events: its contents if an event, and all that happens after it, had not come.  The chains have
 * the values that each write has overwritten; the machine says what a step would do in that memory. */
#ifndef PICKET_EXPLORE_WITHOUT_H
#define PICKET_EXPLORE_WITHOUT_H

#include "explore/chronological.h"

struct without {
    struct view view; /* the first member, so that a pointer to it is one to the struct */
    struct chronological *chronological;
    uint32_t thread;     /* the one that would step */
    uint32_t last_step;  /* of that thread: the events before it stay */
    uint32_t last_drain; /* or NO_EVENT */
    uint32_t earlier;    /* the event that is left out */
    bool others;         /* also leaves out all later events of other threads that the thread does not need */
    bool met_others;     /* the answer might be different without those */
};

void without_init(struct without *without, struct chronological *chronological, uint32_t thread, uint32_t earlier);

/* Is this event, which is not before the earlier one, left out? */
bool without_removes(const struct without *without, uint32_t event);

/* Adds the labels that the thread's next step has without the events to chronological.reversed, one for each choice;
 * only that of `transition` if the number of choices is the same as in the execution.  Returns their number, 0 if the
 * step is not enabled. */
uint32_t without_add_labels(const struct without *without, const struct label *label);

#endif
