// check --model sc --engine brute => safe
// check --model tso --engine brute => violation assertion:30
// check --model pso --engine brute => violation assertion:30
// A thread reads its own store early, and the store still reaches memory last.
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
    y = 2;
    x = 2;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    void *r1, *r2;
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], &r1);
    pthread_join(threads[1], &r2);
    assert(!((long)r1 == 2 && x == 1));
    return 0;
}
