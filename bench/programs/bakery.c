// Lamport's bakery (L. Lamport, "A new solution of Dijkstra's concurrent programming problem", 1974): draw a number
// higher than all others, then wait for those with lower ones. With -DTICKETS=N numbers go up to N only: who would need
// a higher one waits until no thread has one, and draws again.
#include "critical_section.h"

#ifndef THREADS
#define THREADS 2
#endif

static _Atomic int choosing[THREADS];
static _Atomic int number[THREADS];

static int draw(int me) {
    int mine = 0;
    for (int j = 0; j < THREADS; j++) {
        int theirs = j == me ? 0 : LOAD(number[j]);
        mine = theirs > mine ? theirs : mine;
    }
    return mine + 1;
}

static void *contend(void *argument) {
    int me = (int)(intptr_t)argument;

    STORE(choosing[me], 1);
    FENCE_FROM_TSO();
    int mine = draw(me);
#ifdef TICKETS
    while (mine > TICKETS) {
        STORE(choosing[me], 0);
        FENCE_FOR_ROBUSTNESS();
        while (draw(me) > 1) {
        }
        STORE(choosing[me], 1);
        FENCE_FROM_TSO();
        mine = draw(me);
    }
#endif
    STORE(number[me], mine);
    STORE_FENCE_FROM_PSO();
    STORE(choosing[me], 0);
    FENCE_FROM_TSO();
    for (int j = 0; j < THREADS; j++) {
        if (j == me) {
            continue;
        }
        while (LOAD(choosing[j])) {
        }
        for (;;) {
            int theirs = LOAD(number[j]);
            if (theirs == 0 || theirs > mine || (theirs == mine && j > me)) {
                break;
            }
        }
    }

    critical_section(me);

    STORE_FENCE_FROM_PSO();
    STORE(number[me], 0);
    return NULL;
}

int main(void) {
    run_threads(THREADS, contend);
    return 0;
}
