/* Store buffers as they are: each thread has a queue of at most MEMORY_QUEUE pending writes, oldest first.  The order
 * in which they may drain is the memory model's (tso.c, pso.c). */
#include "seq/memory/memory.h"

static memory_value memory_values[MEMORY_LOCATIONS];
static memory_location memory_queue_location[MEMORY_THREADS][MEMORY_QUEUE];
static memory_value memory_queue_value[MEMORY_THREADS][MEMORY_QUEUE];
static uint8_t memory_queue_barriers[MEMORY_THREADS][MEMORY_QUEUE]; /* store barriers that precede the write */
static uint8_t memory_queue_count[MEMORY_THREADS];
static uint8_t memory_barriers[MEMORY_THREADS]; /* that the thread has executed */

/* May this entry be the next of its thread to drain? */
static int memory_may_drain(unsigned thread, unsigned entry);

MEMORY_PART void memory_init(void) {
    for (unsigned location = 0; location < MEMORY_LOCATIONS; location++) {
        memory_values[location] = memory_initial[location];
    }
    for (unsigned thread = 0; thread < MEMORY_THREADS; thread++) {
        memory_queue_count[thread] = 0;
        memory_barriers[thread] = 0;
    }
}

static void memory_drain(unsigned thread, unsigned entry) {
    memory_values[memory_queue_location[thread][entry]] = memory_queue_value[thread][entry];
    for (unsigned i = 0; i + 1 < MEMORY_QUEUE; i++) {
        if (i >= entry) {
            memory_queue_location[thread][i] = memory_queue_location[thread][i + 1];
            memory_queue_value[thread][i] = memory_queue_value[thread][i + 1];
            memory_queue_barriers[thread][i] = memory_queue_barriers[thread][i + 1];
        }
    }
    memory_queue_count[thread]--;
}

/* Any number of pending writes drain, in any order that the memory model allows. */
static void memory_settle(void) {
    for (unsigned i = 0; i < MEMORY_THREADS * MEMORY_QUEUE; i++) {
        unsigned thread = memory_guess(MEMORY_THREADS + 1);
        if (thread == MEMORY_THREADS) {
            break;
        }
        unsigned entry = memory_guess(MEMORY_QUEUE);
        memory_assume(entry < memory_queue_count[thread] && memory_may_drain(thread, entry));
        memory_drain(thread, entry);
    }
}

MEMORY_PART memory_value memory_load(memory_location location) {
    return memory_values[location];
}

MEMORY_PART void memory_store(memory_location location, memory_value value) {
    memory_values[location] = value;
}

/* The newest own pending write of the location, or memory. */
MEMORY_PART memory_value memory_read(memory_location location, unsigned thread) {
    memory_settle();
    memory_value value = memory_values[location];
    for (unsigned i = 0; i < MEMORY_QUEUE; i++) {
        if (i < memory_queue_count[thread] && memory_queue_location[thread][i] == location) {
            value = memory_queue_value[thread][i];
        }
    }
    return value;
}

MEMORY_PART void memory_write(memory_location location, memory_value value, unsigned thread) {
    memory_settle();
    unsigned entry = memory_queue_count[thread];
    memory_assume(entry < MEMORY_QUEUE);
    memory_queue_location[thread][entry] = location;
    memory_queue_value[thread][entry] = value;
    memory_queue_barriers[thread][entry] = memory_barriers[thread];
    memory_queue_count[thread]++;
}

MEMORY_PART void memory_fence(unsigned thread) {
    memory_settle();
    memory_assume(memory_queue_count[thread] == 0);
}

/* Barriers are counted only while writes are pending, so that their number stays small. */
MEMORY_PART void memory_barrier(unsigned thread) {
    if (memory_queue_count[thread] == 0) {
        memory_barriers[thread] = 0;
    } else {
        memory_barriers[thread]++;
    }
}

MEMORY_PART void memory_lock(unsigned thread) {
    memory_fence(thread);
}

MEMORY_PART void memory_unlock(unsigned thread) {
    (void)thread; /* what was stored is in memory already */
}
