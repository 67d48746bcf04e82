// check --model sc --engine brute => safe
// check --model tso --engine brute => violation assertion:31
// check --model pso --engine brute => violation assertion:31
// A thread reads its own buffered store before the others can.
#include <assert.h>
#include <pthread.h>

static int x, y;

static void *first(void *unused) {
    x = 1;
    int own = x;
    int other = y;
    return (void *)(long)(own * 2 + other);
}

static void *second(void *unused) {
    y = 1;
    int own = y;
    int other = x;
    return (void *)(long)(own * 2 + other);
}

int main(void) {
    pthread_t threads[2];
    void *r1, *r2;
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], &r1);
    pthread_join(threads[1], &r2);
    assert(!((long)r1 == 2 && (long)r2 == 2));
    return 0;
}
