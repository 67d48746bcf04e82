// A ticket lock: draw a ticket in one atomic step, wait until it is called.
#include "critical_section.h"

#ifndef THREADS
#define THREADS 2
#endif

static _Atomic int next_ticket;
static _Atomic int called;

static void *contend(void *argument) {
    int me = (int)(intptr_t)argument;
    int mine = atomic_fetch_add(&next_ticket, 1);
    while (LOAD(called) != mine) {
    }
    critical_section(me);
    STORE_FENCE_FROM_PSO();
    STORE(called, mine + 1);
    return NULL;
}

int main(void) {
    run_threads(THREADS, contend);
    return 0;
}
