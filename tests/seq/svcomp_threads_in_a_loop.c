// check --engine seq --model sc => safe
// check --engine seq --model tso => safe
// check --engine seq --model pso => safe
// As many threads as an input says, at most three
#include <pthread.h>

extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

static int count;

static void *work(void *unused) {
    __atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    unsigned many = __VERIFIER_nondet_uint();
    __VERIFIER_assume(many <= 3);
    for (unsigned i = 0; i < many; i++) {
        pthread_create(&threads[i], NULL, work, NULL);
    }
    for (unsigned i = 0; i < many; i++) {
        pthread_join(threads[i], NULL);
    }
    if (count != (int)many) {
        reach_error();
    }
    return 0;
}
