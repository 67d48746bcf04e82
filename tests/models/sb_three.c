// check --model sc --engine brute => safe
// check --model tso --engine brute => violation assertion:45
// check --model pso --engine brute => violation assertion:45
// check --model tso --engine brute -DFENCED => safe
// check --model pso --engine brute -DFENCED => safe
// Store buffering in a ring of three threads.
#include <assert.h>
#include <pthread.h>

#ifdef FENCED
#define FENCE() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#else
#define FENCE() (void)0
#endif

static int x, y, z;

static void *first(void *unused) {
    x = 1;
    FENCE();
    return (void *)(long)(y);
}

static void *second(void *unused) {
    y = 1;
    FENCE();
    return (void *)(long)(z);
}

static void *third(void *unused) {
    z = 1;
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
    assert(!((long)r1 == 0 && (long)r2 == 0 && (long)r3 == 0));
    return 0;
}
