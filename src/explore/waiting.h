/* Steps that may be disabled: locks and the like, and the read that ends a waiting loop. */
#ifndef PICKET_EXPLORE_WAITING_H
#define PICKET_EXPLORE_WAITING_H

#include "explore/chronological.h"

/* A word of memory that the step reads, and how far its chain has been followed. */
struct wait_word {
    uint64_t word;
    uint32_t link;
    uint8_t open; /* bytes whose changes matter */
    uint8_t seen; /* bytes that the step reads in some state */
};

/* Finds the races of a thread's next step, which may be disabled, in chronological.found; false for a step that never
 * is.  With `awaits` the thread is in a waiting loop. */
bool waiting_find(struct chronological *chronological, bool awaits, const struct step *step, const struct label *label);

/* Adds the reads by which earlier iterations of the loop may have failed to chronological.failed.  `event` is the
 * step's, or NO_EVENT if the step is not taken. */
void waiting_note_failed(struct chronological *chronological, uint32_t thread, const struct step *step,
                         const struct label *label, uint32_t event);

#endif
