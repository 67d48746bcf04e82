// A test-and-test-and-set lock: wait until the lock looks free, then try to take it.
#include "critical_section.h"

#ifndef THREADS
#define THREADS 2
#endif

static _Atomic int locked;

static void *contend(void *argument) {
    int me = (int)(intptr_t)argument;
    do {
        while (LOAD(locked)) {
        }
    } while (atomic_exchange(&locked, 1));
    critical_section(me);
    STORE_FENCE_FROM_PSO();
    STORE(locked, 0);
    return NULL;
}

int main(void) {
    run_threads(THREADS, contend);
    return 0;
}
