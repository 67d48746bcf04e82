// check --engine seq --model sc => violation reach_error
// check --engine seq --model tso => violation reach_error
// check --engine seq --model pso => violation reach_error
// The range of an unsigned short; for one value it does not hold
#include <pthread.h>

extern void reach_error(void);
extern unsigned short __VERIFIER_nondet_ushort(void);

static unsigned short shared;

static void *check(void *unused) {
    unsigned short value = shared;
    if (!(value * value != 65025)) {
        reach_error();
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    shared = __VERIFIER_nondet_ushort();
    pthread_create(&thread, NULL, check, NULL);
    pthread_join(thread, NULL);
    return 0;
}
