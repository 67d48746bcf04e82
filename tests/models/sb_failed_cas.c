// check --model sc --engine brute => safe
// check --model tso --engine brute => safe
// check --model pso --engine brute => safe
// A compare-and-swap waits for the buffer also when it fails.
#include <assert.h>
#include <pthread.h>

static int x, y, other[2];

static void *first(void *unused) {
    int expected = 5;
    x = 1;
    __atomic_compare_exchange_n(&other[0], &expected, 7, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return (void *)(long)(y);
}

static void *second(void *unused) {
    int expected = 5;
    y = 1;
    __atomic_compare_exchange_n(&other[1], &expected, 7, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
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
