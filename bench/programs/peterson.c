// Peterson's algorithm for two threads (G. L. Peterson, "Myths about the mutual exclusion problem", 1981).
#include "critical_section.h"

static _Atomic int wants[2];
static _Atomic int turn;

static void *contend(void *argument) {
    int me = (int)(intptr_t)argument;
    int other = 1 - me;

    STORE(wants[me], 1);
    STORE_FENCE_FROM_PSO();
    STORE(turn, other);
    FENCE_FROM_TSO();
    while (LOAD(wants[other]) && LOAD(turn) == other) {
    }

    critical_section(me);

    STORE_FENCE_FROM_PSO();
    STORE(wants[me], 0);
    return NULL;
}

int main(void) {
    run_threads(2, contend);
    return 0;
}
