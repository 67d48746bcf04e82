// Dijkstra's algorithm for any number of threads (E. W. Dijkstra, "Solution of a problem in concurrent programming
// control", 1965). A thread that repeats the same stores while it waits is written as one that waits.
#include "critical_section.h"

#ifndef THREADS
#define THREADS 2
#endif

static _Atomic int contends[THREADS];
static _Atomic int enters[THREADS];
static _Atomic int favoured;

static bool other_enters(int me) {
    for (int j = 0; j < THREADS; j++) {
        if (j != me && LOAD(enters[j])) {
            return true;
        }
    }
    return false;
}

static void become_favoured(int me) {
    for (;;) {
        int now = LOAD(favoured);
        if (now == me) {
            return;
        }
        if (!LOAD(contends[now])) {
            STORE(favoured, me);
            FENCE_FOR_ROBUSTNESS();
        }
    }
}

static void enter(int me) {
    STORE(contends[me], 1);
    FENCE_FROM_TSO();
    for (;;) {
        become_favoured(me);
        STORE(enters[me], 1);
        FENCE_FROM_TSO();
        while (other_enters(me)) {
            if (LOAD(favoured) != me) {
                break;
            }
        }
        if (!other_enters(me)) {
            return;
        }
        STORE(enters[me], 0);
        FENCE_FOR_ROBUSTNESS();
    }
}

static void *contend(void *argument) {
    int me = (int)(intptr_t)argument;
    enter(me);
    critical_section(me);
    STORE_FENCE_FROM_PSO();
    STORE(enters[me], 0);
    STORE(contends[me], 0);
    return NULL;
}

int main(void) {
    run_threads(THREADS, contend);
    return 0;
}
