// check --engine seq --model sc => violation reach_error
// check --engine seq --model tso => violation reach_error
// check --engine seq --model pso => violation reach_error
// The absolute value, without a branch; for one value it does not hold
#include <pthread.h>

extern void reach_error(void);
extern long __VERIFIER_nondet_long(void);

static long shared;

static void *check(void *unused) {
    long value = shared;
    if (!(value != 0x123456789abcdefL)) {
        reach_error();
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    shared = __VERIFIER_nondet_long();
    pthread_create(&thread, NULL, check, NULL);
    pthread_join(thread, NULL);
    return 0;
}
