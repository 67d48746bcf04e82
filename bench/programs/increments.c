// N threads that each increment one variable atomically, in any order: N! traces.
#include "harness.h"

#ifndef N
#define N 3
#endif

static _Atomic int variable;

static void *increment(void *argument) {
    atomic_fetch_add(&variable, 1);
    return argument;
}

int main(void) {
    run_threads(N, increment);
    assert(LOAD(variable) == N);
    return 0;
}
