// Dekker's algorithm (E. W. Dijkstra, "Cooperating sequential processes", 1965): who finds the other one interested too
// steps back unless it is its turn.
#include "critical_section.h"

static _Atomic int wants[2];
static _Atomic int turn;

static void *contend(void *argument) {
    int me = (int)(intptr_t)argument;
    int other = 1 - me;

    STORE(wants[me], 1);
    FENCE_FROM_TSO();
    while (LOAD(wants[other])) {
        if (LOAD(turn) != me) {
            STORE(wants[me], 0);
            FENCE_FOR_ROBUSTNESS();
            while (LOAD(turn) != me) {
            }
            STORE(wants[me], 1);
            FENCE_FROM_TSO();
        }
    }

    critical_section(me);

    STORE_FENCE_FROM_PSO();
    STORE(turn, other);
    STORE_FENCE_FROM_PSO();
    STORE(wants[me], 0);
    return NULL;
}

int main(void) {
    run_threads(2, contend);
    return 0;
}
