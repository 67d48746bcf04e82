// check --engine seq --model sc => safe
// check --engine seq --model tso => safe
// check --engine seq --model pso => safe
// The range of an unsigned short
#include <pthread.h>

extern void reach_error(void);
extern unsigned short __VERIFIER_nondet_ushort(void);

static unsigned short shared;

static void *check(void *unused) {
    unsigned short value = shared;
    if (!(value * 2 <= 131070)) {
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
