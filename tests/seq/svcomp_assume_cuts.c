// check --engine seq --model sc => safe
// check --engine seq --model tso => safe
// check --engine seq --model pso => safe
// An assumption of one thread keeps the other from going on after it
#include <pthread.h>

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
static int x, y;

static void *first(void *unused) {
    x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > 10);
    return unused;
}

static void *second(void *unused) {
    y = 1;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    if (!(x > 10 && y == 1)) {
        reach_error();
    }
    return 0;
}
