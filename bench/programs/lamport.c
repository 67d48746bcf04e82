// Lamport's fast mutual exclusion algorithm (L. Lamport, "A fast mutual exclusion algorithm", 1987): without contention
// a thread enters after a constant number of accesses.
#include "critical_section.h"

#ifndef THREADS
#define THREADS 2
#endif

static _Atomic int interested[THREADS];
static _Atomic int x;
static _Atomic int y; /* 0: nobody; otherwise a thread's number plus one */

static void enter(int me) {
    for (;;) {
        STORE(interested[me], 1);
        STORE_FENCE_FROM_PSO();
        STORE(x, me + 1);
        FENCE_FROM_TSO();
        if (LOAD(y) != 0) {
            STORE(interested[me], 0);
            while (LOAD(y) != 0) {
            }
            continue;
        }
        STORE(y, me + 1);
        FENCE_FROM_TSO();
        if (LOAD(x) == me + 1) {
            return;
        }
        STORE(interested[me], 0);
        FENCE_FROM_TSO();
        for (int j = 0; j < THREADS; j++) {
            while (LOAD(interested[j])) {
            }
        }
        if (LOAD(y) == me + 1) {
            return;
        }
        while (LOAD(y) != 0) {
        }
    }
}

static void *contend(void *argument) {
    int me = (int)(intptr_t)argument;
    enter(me);
    critical_section(me);
    STORE_FENCE_FROM_PSO();
    STORE(y, 0);
    STORE_FENCE_FROM_PSO();
    STORE(interested[me], 0);
    return NULL;
}

int main(void) {
    run_threads(THREADS, contend);
    return 0;
}
