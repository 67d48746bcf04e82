// check --engine seq --model sc => safe
// check --engine seq --model tso => safe
// check --engine seq --model pso => safe
// An unsigned char and its successor
#include <pthread.h>

extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned char shared;

static void *check(void *unused) {
    unsigned char value = shared;
    if (!((unsigned char)(value + 1) != value)) {
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
