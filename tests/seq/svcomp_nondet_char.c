// check --engine seq --model sc => safe
// check --engine seq --model tso => safe
// check --engine seq --model pso => safe
// The range of a char
#include <pthread.h>

extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

static char shared;

static void *check(void *unused) {
    char value = shared;
    if (!(value >= -128 && value <= 127)) {
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
