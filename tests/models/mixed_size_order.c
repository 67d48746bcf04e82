// check --model sc --engine brute => safe
// check --model tso --engine brute => safe
// check --model pso --engine brute => safe
// Stores of different sizes to one word stay in order under PSO, as they overlap.
#include <assert.h>
#include <pthread.h>

static union {
    int word;
    char bytes[4];
} x;

static void *first(void *unused) {
    x.word = 0x01010101;
    x.bytes[0] = 2;
    return unused;
}

static void *second(void *unused) {
    int seen = x.word;
    return (void *)(long)(seen);
}

int main(void) {
    pthread_t threads[2];
    void *r1, *r2;
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], &r1);
    pthread_join(threads[1], &r2);
    assert(!((long)r2 == 2 || x.bytes[0] != 2));
    return 0;
}
