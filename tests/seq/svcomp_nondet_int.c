// check --engine seq --model sc => safe
// check --engine seq --model tso => safe
// check --engine seq --model pso => safe
// A signed number and its predecessor
#include <pthread.h>

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int shared;

static void *check(void *unused) {
    int value = shared;
    if (!(value - 1 < value || value == (-2147483647 - 1))) {
        reach_error();
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    shared = __VERIFIER_nondet_int();
    pthread_create(&thread, NULL, check, NULL);
    pthread_join(thread, NULL);
    return 0;
}
