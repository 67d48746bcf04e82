// Fig. 5 of "Stateless Model Checking for TSO and PSO" (2015): a load that may be served from the store buffer. The
// accesses to x can be permuted in six ways, which make 3 traces.
#include "harness.h"

static _Atomic int x;

static void *p(void *unused) {
    STORE(x, 1);
    (void)LOAD(x);
    return unused;
}

static void *q(void *unused) {
    STORE(x, 2);
    return unused;
}

int main(void) {
    run_pair(p, q);
    return 0;
}
