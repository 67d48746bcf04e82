// check --engine seq --model sc => safe
// check --engine seq --model tso => safe
// check --engine seq --model pso => safe
// check --engine explore --model tso => safe
// A function whose name makes it atomic
#include <pthread.h>

extern void reach_error(void);
static int sum;
extern void __VERIFIER_atomic_begin(void);

void __VERIFIER_atomic_add(int what) {
    sum = sum + what;
}

static void *first(void *unused) {
    __VERIFIER_atomic_add(3);
    return unused;
}

static void *second(void *unused) {
    __VERIFIER_atomic_add(4);
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
