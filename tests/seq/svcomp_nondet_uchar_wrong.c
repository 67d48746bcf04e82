// check --engine seq --model sc => violation reach_error
// check --engine seq --model tso => violation reach_error
// check --engine seq --model pso => violation reach_error
// An unsigned char and its successor; for one value it does not hold
#include <pthread.h>

extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned char shared;

static void *check(void *unused) {
    unsigned char value = shared;
    if (!((unsigned char)(value * 5) != 251)) {
        reach_error();
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    shared = __VERIFIER_nondet_uchar();
    pthread_create(&thread, NULL, check, NULL);
    pthread_join(thread, NULL);
    return 0;
}
