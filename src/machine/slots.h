/* Slots of threads that several machines have in common, so that a transition means the same thread to each of them,
 * whatever order they have met the threads in.  A machine of its own gives slots in the order of first creation. */
#ifndef PICKET_MACHINE_SLOTS_H
#define PICKET_MACHINE_SLOTS_H

#include <pthread.h>
#include <stdint.h>

#include "util/vector.h"

struct slots {
    pthread_mutex_t access;
    struct vector births; /* of struct birth, by slot */
};

/* A thread is known by who creates it and as the how many-th; the first thread is in slot 0. */
struct birth {
    uint32_t parent; /* slot */
    uint32_t child;
};

void slots_init(struct slots *slots);
void slots_delete(struct slots *slots);

/* The slot for a birth; a new one if it is not known yet.  And the birth for a known slot. */
uint32_t slots_find(struct slots *slots, struct birth birth);
struct birth slots_at(struct slots *slots, uint32_t slot);

#endif
