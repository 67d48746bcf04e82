// check --model sc --engine brute => safe
// check --model tso --engine brute => safe
// check --model pso --engine brute => safe
// An exchange waits for the buffer and acts on memory.
#include <assert.h>
#include <pthread.h>

static int x, y;

static void *first(void *unused) {
    __atomic_exchange_n(&x, 1, __ATOMIC_RELAXED);
    return (void *)(long)(y);
}

static void *second(void *unused) {
    __atomic_exchange_n(&y, 1, __ATOMIC_RELAXED);
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
