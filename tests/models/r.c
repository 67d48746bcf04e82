// check --model sc --engine brute => safe
// check --model tso --engine brute => violation assertion:41
// check --model pso --engine brute => violation assertion:41
// check --model tso --engine brute -DFENCED => safe
// check --model pso --engine brute -DFENCED => violation assertion:41
// check --model pso --engine brute -DFENCED -DBOTH => safe
// Shape R: a store overtaken by a later load. Under PSO both threads need a fence.
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
#ifdef BOTH
    FENCE();
#endif
    y = 1;
    return unused;
}

static void *second(void *unused) {
    y = 2;
    FENCE();
    return (void *)(long)(x);
}

int main(void) {
    pthread_t threads[2];
    void *r1, *r2;
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], &r1);
    pthread_join(threads[1], &r2);
    assert(!(y == 2 && (long)r2 == 0));
    return 0;
}
