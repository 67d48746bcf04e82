// check --model sc --engine brute => safe
// check --model tso --engine brute => violation assertion:38
// check --model pso --engine brute => violation assertion:38
// check --model sc --engine brute -DFENCED => safe
// check --model tso --engine brute -DFENCED => safe
// check --model pso --engine brute -DFENCED => safe
// Store buffering: both threads may miss the other's store, unless each waits for its buffer.
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
    return (void *)(long)(y);
}

static void *second(void *unused) {
    y = 1;
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
    assert(!((long)r1 == 0 && (long)r2 == 0));
    return 0;
}
