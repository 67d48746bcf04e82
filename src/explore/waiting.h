/* Steps that wait until they are enabled: locks and their like, and the read that ends a waiting loop. */
#ifndef PICKET_EXPLORE_WAITING_H
#define PICKET_EXPLORE_WAITING_H

#include "explore/chronological.h"

/* A word of memory that the step reads, and how far back its chain was followed. */
struct wait_word {
    uint64_t word;
    uint32_t link;
    uint8_t open; /* bytes whose changes matter */
    uint8_t seen; /* bytes that the step reads in some state */
};

/* Finds the races of a thread's next step that may have to wait, in chronological.found; false for one that never
 * waits.  `awaits`: it stands in a waiting loop.
 */
bool waiting_find(struct chronological *chronological, bool awaits, const struct step *step, const struct label *label);

/* Adds the reads with which the loop may have gone round before to chronological.failed.  `event` is the step's, or
 * NO_EVENT if it never comes. */
void waiting_note_failed(struct chronological *chronological, uint32_t thread, const struct step *step,
                         const struct label *label, uint32_t event);

#endif
