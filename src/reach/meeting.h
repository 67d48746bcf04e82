/* A place at which threads wait for each other.
 *
 * All arrive; the last to come does what has to be done alone and opens the way for the others.  Meetings may be many
 * and short, so those who wait look for a while before they sleep. */
#ifndef PICKET_REACH_MEETING_H
#define PICKET_REACH_MEETING_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct meeting {
    _Atomic uint32_t arrived;
    _Atomic uint32_t round; /* how often it was opened */
    uint32_t members;
    uint32_t patience; /* how often to look before sleeping */
    pthread_mutex_t lock;
    pthread_cond_t opened;
};

void meeting_init(struct meeting *meeting, uint32_t members);
void meeting_delete(struct meeting *meeting);

/* True for the last to come, who has to call meeting_open; for the others false, once that was done. */
bool meeting_arrive(struct meeting *meeting);
void meeting_open(struct meeting *meeting);

#endif
