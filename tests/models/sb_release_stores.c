// check --model sc --engine brute => safe
// check --model tso --engine brute => violation assertion:27
// check --model pso --engine brute => violation assertion:27
// Release stores are buffered like plain ones.
#include <assert.h>
#include <pthread.h>

static int x, y;

static void *first(void *unused) {
    __atomic_store_n(&x, 1, __ATOMIC_RELEASE);
    return (void *)(long)(__atomic_load_n(&y, __ATOMIC_ACQUIRE));
}

static void *second(void *unused) {
    __atomic_store_n(&y, 1, __ATOMIC_RELEASE);
    return (void *)(long)(__atomic_load_n(&x, __ATOMIC_ACQUIRE));
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
