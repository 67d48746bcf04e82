// Store buffering in a ring: thread i stores its own variable and loads its neighbour's. Each load sees the store or
// not: 2^N traces under TSO and PSO; under SC not all of them can miss it.
#include "harness.h"

#ifndef N
#define N 3
#endif

static _Atomic int variables[N];

static void *store_and_look(void *argument) {
    int me = (int)(intptr_t)argument;
    STORE(variables[me], 1);
    (void)LOAD(variables[(me + 1) % N]);
    return NULL;
}

int main(void) {
    run_threads(N, store_and_look);
    return 0;
}
