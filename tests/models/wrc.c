// check --model sc --engine brute => safe
// check --model tso --engine brute => safe
// check --model pso --engine brute => safe
// Write-to-read causality: what a thread has read, those who read its stores see as well.
#include <assert.h>
#include <pthread.h>

static int x, y;

static void *first(void *unused) {
    x = 1;
    return unused;
}

static void *second(void *unused) {
    int seen = x;
    y = 1;
    return (void *)(long)(seen);
}

static void *third(void *unused) {
    int flag = y;
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
