// check --engine seq --model sc => safe
// check --engine seq --model tso => safe
// check --engine seq --model pso => safe
// Halves of a number
#include <pthread.h>

extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);

static unsigned long shared;

static void *check(void *unused) {
    unsigned long value = shared;
    if (!((value >> 1) + (value >> 1) + (value & 1) == value)) {
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
