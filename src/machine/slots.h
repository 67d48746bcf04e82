/* Slots of threads that several machines share, so that a transition names the same thread for each of them, whatever
 * order they created the threads in.  A machine with slots of its own numbers threads in the order of first
 * creation. */
#ifndef PICKET_MACHINE_SLOTS_H
#define PICKET_MACHINE_SLOTS_H

#include <pthread.h>
#include <stdint.h>

#include "util/vector.h"

struct slots {
    pthread_mutex_t access;
    struct vector births; /* of struct birth, by slot */
};

/* A thread is identified by its creator and its index among the creator's children; the first thread has slot 0. */
struct birth {
    uint32_t parent; /* slot */
    uint32_t child;
};

void slots_init(struct slots *slots);
void slots_delete(struct slots *slots);

/* The slot of a birth, a new one if there is none yet; and the birth of a slot. */
uint32_t slots_find(struct slots *slots, struct birth birth);
struct birth slots_at(struct slots *slots, uint32_t slot);

#endif
