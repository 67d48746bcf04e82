// check --model sc --engine brute => safe
// check --model tso --engine brute => safe
// check --model pso --engine brute => safe
// A wide load that a buffered store covers only in part waits until that store is in memory.
#include <assert.h>
#include <pthread.h>

static int x, y;

static void *first(void *unused) {
    *(volatile char *)&x = 1;
    int whole = x;
    int other = y;
    return (void *)(long)(whole * 2 + other);
}

static void *second(void *unused) {
    y = 1;
    __sync_synchronize();
    return (void *)(long)(x != 0);
}

int main(void) {
    pthread_t threads[2];
    void *r1, *r2;
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], &r1);
    pthread_join(threads[1], &r2);
    assert(!((long)r1 == 2 && (long)r2 == 0));
    return 0;
}
