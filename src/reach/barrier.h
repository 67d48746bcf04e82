/* A barrier at which threads wait for each other.
 *
 * Every member arrives; the last one does what one thread has to do alone, and opens the barrier for the others.  A
 * search has many short levels, so waiting threads poll for a while before they sleep. */
#ifndef PICKET_REACH_BARRIER_H
#define PICKET_REACH_BARRIER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct barrier {
    _Atomic uint32_t arrived;
    _Atomic uint32_t generation; /* number of times it was opened */
    uint32_t members;
    uint32_t patience; /* number of polls before sleeping */
    pthread_mutex_t lock;
    pthread_cond_t opened;
};

void barrier_init(struct barrier *barrier, uint32_t members);
void barrier_delete(struct barrier *barrier);

/* Returns true to the last member to arrive, which has to call barrier_open; to the others false, after
 * barrier_open. */
bool barrier_arrive(struct barrier *barrier);
void barrier_open(struct barrier *barrier);

#endif
