// check --model sc --engine brute => safe
// check --model tso --engine brute => safe
// check --model pso --engine brute => violation assertion:29
// Relaxed atomic stores may overtake each other under PSO.
#include <assert.h>
#include <pthread.h>

static _Atomic int x, y;

static void *first(void *unused) {
    __c11_atomic_store(&x, 1, __ATOMIC_RELAXED);
    __c11_atomic_store(&y, 1, __ATOMIC_RELAXED);
    return unused;
}

static void *second(void *unused) {
    int flag = __c11_atomic_load(&y, __ATOMIC_RELAXED);
    int message = __c11_atomic_load(&x, __ATOMIC_RELAXED);
    return (void *)(long)(flag * 2 + message);
}

int main(void) {
    pthread_t threads[2];
    void *r1, *r2;
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], &r1);
    pthread_join(threads[1], &r2);
    assert(!((long)r2 == 2));
    return 0;
}
