// check --model sc --engine brute => safe
// check --model tso --engine brute => safe
// check --model pso --engine brute => violation assertion:37
// A chain of messages over three threads.
#include <assert.h>
#include <pthread.h>

static int x, y, z;

static void *first(void *unused) {
    x = 1;
    y = 1;
    return unused;
}

static void *second(void *unused) {
    int seen = y;
    z = 1;
    return (void *)(long)(seen);
}

static void *third(void *unused) {
    int flag = z;
    int value = x;
    return (void *)(long)(flag * 2 + value);
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
    assert(!((long)r2 == 1 && (long)r3 == 2));
    return 0;
}
