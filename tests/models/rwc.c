// check --model sc --engine brute => safe
// check --model tso --engine brute => violation assertion:44
// check --model pso --engine brute => violation assertion:44
// check --model tso --engine brute -DFENCED => safe
// check --model pso --engine brute -DFENCED => safe
// Read-to-write causality: the last thread needs a fence.
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
    return unused;
}

static void *second(void *unused) {
    int a = x;
    int b = y;
    return (void *)(long)(a * 2 + b);
}

static void *third(void *unused) {
    y = 1;
    FENCE();
    return (void *)(long)(x);
}

int main(void) {
    pthread_t threads[3];
    void *r1, *r2, *r3;
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_create(&threads[2], NULL, third, NULL);
    pthread_join(threads[0], &r1);
    pthread_join(threads[1], &r2);
    pthread_join(threads[2], &r3);
    assert(!((long)r2 == 2 && (long)r3 == 0));
    return 0;
}
