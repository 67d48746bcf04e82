// check --engine seq --model sc => violation reach_error
// check --engine seq --model tso => violation reach_error
// check --engine seq --model pso => violation reach_error
// The range of a char; for one value it does not hold
#include <pthread.h>

extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

static char shared;

static void *check(void *unused) {
    char value = shared;
    if (!(value != 'q')) {
        reach_error();
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    shared = __VERIFIER_nondet_char();
    pthread_create(&thread, NULL, check, NULL);
    pthread_join(thread, NULL);
    return 0;
}
