// check --engine seq --model sc => violation reach_error
// check --engine seq --model tso => violation reach_error
// check --engine seq --model pso => violation reach_error
// check --engine explore --model sc => violation reach_error
// A section protects only from other sections and steps between its own
#include <pthread.h>

extern void reach_error(void);
static int sum;
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static void *first(void *unused) {
    __VERIFIER_atomic_begin();
    sum = sum + 3;
    __VERIFIER_atomic_end();
    return unused;
}

static void *second(void *unused) {
    sum = sum + 4;
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
