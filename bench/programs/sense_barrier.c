// A sense-reversing barrier: the last to arrive puts the counter back and then turns the sense that the others watch.
// Without the store fence the counter may be put back after a thread has arrived for the next round: all wait for ever.
#include "harness.h"

#ifndef THREADS
#define THREADS 2
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

static _Atomic int missing = THREADS;
static _Atomic int sense;
static _Atomic int reached[THREADS];

static void barrier_wait(int my_sense) {
    if (atomic_fetch_sub(&missing, 1) == 1) {
        STORE(missing, THREADS);
        STORE_FENCE_FROM_PSO();
        STORE(sense, my_sense);
    } else {
        while (LOAD(sense) != my_sense) {
        }
    }
}

static void *work(void *argument) {
    int me = (int)(intptr_t)argument;
    for (int round = 1; round <= ROUNDS; round++) {
        STORE(reached[me], round);
        barrier_wait(round % 2);
        for (int j = 0; j < THREADS; j++) {
            assert(LOAD(reached[j]) >= round);
        }
    }
    return NULL;
}

int main(void) {
    run_threads(THREADS, work);
    return 0;
}
