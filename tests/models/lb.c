// check --model sc --engine brute => safe
// check --model tso --engine brute => safe
// check --model pso --engine brute => safe
// Load buffering: no model lets a load see a store that comes later in program order.
#include <assert.h>
#include <pthread.h>

static int x, y;

static void *first(void *unused) {
    int seen = x;
    y = 1;
    return (void *)(long)(seen);
}

static void *second(void *unused) {
    int seen = y;
    x = 1;
    return (void *)(long)(seen);
}

int main(void) {
    pthread_t threads[2];
    void *r1, *r2;
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], &r1);
    pthread_join(threads[1], &r2);
    assert(!((long)r1 == 1 && (long)r2 == 1));
    return 0;
}
