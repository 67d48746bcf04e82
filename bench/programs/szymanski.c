// Szymanski's algorithm (B. K. Szymanski, "A simple solution to Lamport's concurrent programming problem with linear
// wait", 1988): a waiting room with two doors. The flag says how far a thread has come: 1 wants to enter the waiting
// room, 2 waits inside for others to come, 3 stands in the door, 4 has closed it behind itself.
#include "critical_section.h"

#ifndef THREADS
#define THREADS 2
#endif

static _Atomic int flags[THREADS];

static bool someone_stands_at(int me, int step) {
    for (int j = 0; j < THREADS; j++) {
        if (j != me && LOAD(flags[j]) == step) {
            return true;
        }
    }
    return false;
}

static void *contend(void *argument) {
    int me = (int)(intptr_t)argument;

    STORE(flags[me], 1);
    FENCE_FROM_TSO();
    for (int j = 0; j < THREADS; j++) {
        while (j != me && LOAD(flags[j]) >= 3) {
        }
    }
    STORE(flags[me], 3);
    FENCE_FROM_TSO();
    if (someone_stands_at(me, 1)) {
        STORE(flags[me], 2);
        FENCE_FROM_TSO();
        while (!someone_stands_at(me, 4)) {
        }
    }
    STORE(flags[me], 4);
    FENCE_FROM_TSO();
    for (int j = 0; j < me; j++) {
        while (LOAD(flags[j]) >= 2) {
        }
    }

    critical_section(me);

    for (int j = me + 1; j < THREADS; j++) {
        for (;;) {
            int step = LOAD(flags[j]);
            if (step < 2 || step == 4) {
                break;
            }
        }
    }
    STORE_FENCE_FROM_PSO();
    STORE(flags[me], 0);
    return NULL;
}

int main(void) {
    run_threads(THREADS, contend);
    return 0;
}
