// check --engine seq --model sc => violation reach_error
// check --engine seq --model tso => violation reach_error
// check --engine seq --model pso => violation reach_error
// The range of a short; for one value it does not hold
#include <pthread.h>

extern void reach_error(void);
extern short __VERIFIER_nondet_short(void);

static short shared;

static void *check(void *unused) {
    short value = shared;
    if (!(value != -12345)) {
        reach_error();
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    shared = __VERIFIER_nondet_short();
    pthread_create(&thread, NULL, check, NULL);
    pthread_join(thread, NULL);
    return 0;
}
