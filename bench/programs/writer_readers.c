// One writer and N readers of one variable: each reader comes before or after the store, 2^N traces.
#include "harness.h"

#ifndef N
#define N 3
#endif

static _Atomic int variable;

static void *access_once(void *argument) {
    if ((intptr_t)argument == 0) {
        STORE(variable, 1);
    } else {
        (void)LOAD(variable);
    }
    return NULL;
}

int main(void) {
    run_threads(N + 1, access_once);
    return 0;
}
