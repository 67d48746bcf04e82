// Two workers of a database pass work to each other through a flag, and wake each other through a latch, as PostgreSQL
// did when its latches lacked barriers (J. Alglave, D. Kroening, V. Nimal and M. Tautschnig, "Software verification for
// weak memory via program transformation", 2013). Who is woken must find work. With -DWAITS=N a worker looks at its
// latch at most N times before it goes home.
#include "harness.h"

#ifndef ROUNDS
#define ROUNDS 2
#endif

static _Atomic int latch[2] = {1, 0};
static _Atomic int flag[2] = {1, 0};

static bool wait_for_latch(int me) {
#ifdef WAITS
    for (int i = 0; i < WAITS; i++) {
        if (LOAD(latch[me])) {
            return true;
        }
    }
    return false;
#else
    while (!LOAD(latch[me])) {
    }
    return true;
#endif
}

static void *work(void *argument) {
    int me = (int)(intptr_t)argument;
    int other = 1 - me;
    for (int i = 0; i < ROUNDS && wait_for_latch(me); i++) {
        STORE(latch[me], 0);
        assert(LOAD(flag[me]));
        STORE(flag[me], 0);
        STORE(flag[other], 1);
        STORE_FENCE_FROM_PSO();
        STORE(latch[other], 1);
    }
    return NULL;
}

int main(void) {
    run_threads(2, work);
    return 0;
}
