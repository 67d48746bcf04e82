// check --engine seq --model sc => safe
// check --engine seq --model tso => safe
// check --engine seq --model pso => safe
// check --engine explore --model pso => safe
// Additions in atomic sections
#include <pthread.h>

extern void reach_error(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int sum;

static void *first(void *unused) {
    __VERIFIER_atomic_begin();
    sum = sum + 3;
    __VERIFIER_atomic_end();
    return unused;
}

static void *second(void *unused) {
    __VERIFIER_atomic_begin();
    sum = sum + 4;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    if (!(sum == 7)) {
        reach_error();
    }
    return 0;
}
