// check --model sc --engine brute => safe
// check --model tso --engine brute => safe
// check --model pso --engine brute => violation assertion:38
// check --model pso --engine brute -DFENCED => safe
// Two threads write two places in opposite order; only PSO lets both first stores win.
#include <assert.h>
#include <pthread.h>

#ifdef FENCED
#define FENCE() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#else
#define FENCE() (void)0
#endif

static int x, y;

static void *first(void *unused) {
    x = 1;
    FENCE();
    y = 2;
    return unused;
}

static void *second(void *unused) {
    y = 1;
    FENCE();
    x = 2;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    void *r1, *r2;
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], &r1);
    pthread_join(threads[1], &r2);
    assert(!(x == 1 && y == 1));
    return 0;
}
