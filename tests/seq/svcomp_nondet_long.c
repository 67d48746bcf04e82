// check --engine seq --model sc => safe
// check --engine seq --model tso => safe
// check --engine seq --model pso => safe
// The absolute value, without a branch
#include <pthread.h>

extern void reach_error(void);
extern long __VERIFIER_nondet_long(void);

static long shared;

static void *check(void *unused) {
    long value = shared;
    if (!((value ^ value >> 63) - (value >> 63) >= 0 || value == (long)(1UL << 63))) {
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
