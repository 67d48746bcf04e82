// check --engine seq --model sc => safe
// check --engine seq --model tso => safe
// check --engine seq --model pso => violation reach_error
// Message passing of an input that is not 0
#include <pthread.h>

extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
static unsigned data, copy, got, seen, flag;

static void *first(void *unused) {
    copy = __VERIFIER_nondet_uint();
    __VERIFIER_assume(copy != 0);
    data = copy;
    flag = 1;
    return unused;
}

static void *second(void *unused) {
    seen = flag;
    got = data;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    if (!(!seen || got == copy)) {
        reach_error();
    }
    return 0;
}
