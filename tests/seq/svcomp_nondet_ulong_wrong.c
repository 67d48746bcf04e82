// check --engine seq --model sc => violation reach_error
// check --engine seq --model tso => violation reach_error
// check --engine seq --model pso => violation reach_error
// Halves of a number; for one value it does not hold
#include <pthread.h>

extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);

static unsigned long shared;

static void *check(void *unused) {
    unsigned long value = shared;
    if (!(value * 0x9e3779b97f4a7c15u != 42)) {
        reach_error();
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    shared = __VERIFIER_nondet_ulong();
    pthread_create(&thread, NULL, check, NULL);
    pthread_join(thread, NULL);
    return 0;
}
