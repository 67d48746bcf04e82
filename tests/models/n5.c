// check --model sc --engine brute => safe
// check --model tso --engine brute => safe
// check --model pso --engine brute => safe
// Two threads store to one place and read it: they cannot both read the other's value.
#include <assert.h>
#include <pthread.h>

static int x;

static void *first(void *unused) {
    x = 1;
    return (void *)(long)(x);
}

static void *second(void *unused) {
    x = 2;
    return (void *)(long)(x);
}

int main(void) {
    pthread_t threads[2];
    void *r1, *r2;
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], &r1);
    pthread_join(threads[1], &r2);
    assert(!((long)r1 == 2 && (long)r2 == 1));
    return 0;
}
