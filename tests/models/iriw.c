// check --model sc --engine brute => safe
// check --model tso --engine brute => safe
// check --model pso --engine brute => safe
// Independent reads of independent writes: all threads see the stores in one order.
#include <assert.h>
#include <pthread.h>

static int x, y;

static void *first(void *unused) {
    x = 1;
    return unused;
}

static void *second(void *unused) {
    y = 1;
    return unused;
}

static void *third(void *unused) {
    int a = x;
    int b = y;
    return (void *)(long)(a * 2 + b);
}

static void *fourth(void *unused) {
    int a = y;
    int b = x;
    return (void *)(long)(a * 2 + b);
}

int main(void) {
    pthread_t threads[4];
    void *r1, *r2, *r3, *r4;
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_create(&threads[2], NULL, third, NULL);
    pthread_create(&threads[3], NULL, fourth, NULL);
    pthread_join(threads[0], &r1);
    pthread_join(threads[1], &r2);
    pthread_join(threads[2], &r3);
    pthread_join(threads[3], &r4);
    assert(!((long)r3 == 2 && (long)r4 == 2));
    return 0;
}
