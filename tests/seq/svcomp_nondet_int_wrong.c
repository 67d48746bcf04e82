// check --engine seq --model sc => violation reach_error
// check --engine seq --model tso => violation reach_error
// check --engine seq --model pso => violation reach_error
// A signed number and its predecessor; for one value it does not hold
#include <pthread.h>

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int shared;

static void *check(void *unused) {
    int value = shared;
    if (!(value != -2147483647)) {
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
