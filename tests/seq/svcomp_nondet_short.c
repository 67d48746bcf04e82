// check --engine seq --model sc => safe
// check --engine seq --model tso => safe
// check --engine seq --model pso => safe
// The range of a short
#include <pthread.h>

extern void reach_error(void);
extern short __VERIFIER_nondet_short(void);

static short shared;

static void *check(void *unused) {
    short value = shared;
    if (!(value >= -32768 && value <= 32767)) {
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
