// check --engine seq --model sc => safe
// check --engine seq --model tso => safe
// check --engine seq --model pso => safe
// A truth value
#include <pthread.h>

extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);

static _Bool shared;

static void *check(void *unused) {
    _Bool value = shared;
    if (!(value == 0 || value == 1)) {
        reach_error();
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    shared = __VERIFIER_nondet_bool();
    pthread_create(&thread, NULL, check, NULL);
    pthread_join(thread, NULL);
    return 0;
}
