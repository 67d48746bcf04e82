// Burns' algorithm (J. E. Burns, "Mutual exclusion with linear waiting using binary shared variables", 1978): one bit
// for each thread; a thread steps back for those with lower numbers and waits for those with higher ones.
#include "critical_section.h"

#ifndef THREADS
#define THREADS 2
#endif

static _Atomic int flags[THREADS];

static bool lower_is_set(int me) {
    for (int j = 0; j < me; j++) {
        if (LOAD(flags[j])) {
            return true;
        }
    }
    return false;
}

static void *contend(void *argument) {
    int me = (int)(intptr_t)argument;

    do {
        STORE(flags[me], 0);
        FENCE_FOR_ROBUSTNESS();
        while (lower_is_set(me)) {
        }
        STORE(flags[me], 1);
        FENCE_FROM_TSO();
    } while (lower_is_set(me));
    for (int j = me + 1; j < THREADS; j++) {
        while (LOAD(flags[j])) {
        }
    }

    critical_section(me);

    STORE_FENCE_FROM_PSO();
    STORE(flags[me], 0);
    return NULL;
}

int main(void) {
    run_threads(THREADS, contend);
    return 0;
}
