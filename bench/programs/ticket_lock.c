// A ticket lock: draw a ticket in one atomic step, wait until it is called. -DTICKET=uint8_t: they come back soon.
#include "critical_section.h"

#ifndef THREADS
#define THREADS 2
#endif

#ifndef TICKET
#define TICKET int
#endif

static _Atomic TICKET next_ticket;
static _Atomic TICKET called;

static void *contend(void *argument) {
    int me = (int)(intptr_t)argument;
    TICKET mine = atomic_fetch_add(&next_ticket, 1);
    while (LOAD(called) != mine) {
    }
    critical_section(me);
    STORE_FENCE_FROM_PSO();
    STORE(called, (TICKET)(mine + 1));
    return NULL;
}

int main(void) {
    run_threads(THREADS, contend);
    return 0;
}
