// check --engine seq --model sc => violation reach_error
// check --engine seq --model tso => violation reach_error
// check --engine seq --model pso => violation reach_error
// An assumption after the value was seen: another thread has seen the value before
#include <pthread.h>

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
static int x, y;

static void *first(void *unused) {
    x = __VERIFIER_nondet_int();
    int value = x;
    __VERIFIER_assume(value != 5);
    return unused;
}

static void *second(void *unused) {
    y = x;
    if (y == 5) {
        reach_error();
    }
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    if (!(1)) {
        reach_error();
    }
    return 0;
}
