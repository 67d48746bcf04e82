// Fig. 1 of "Stateless Model Checking for TSO and PSO" (2015), the idiom of Dekker's algorithm: 3 traces under SC, 4
// under TSO and PSO.
#include "harness.h"

static _Atomic int x, y;

static void *p(void *unused) {
    STORE(x, 1);
    (void)LOAD(y);
    return unused;
}

static void *q(void *unused) {
    STORE(y, 1);
    (void)LOAD(x);
    return unused;
}

int main(void) {
    run_pair(p, q);
    return 0;
}
