// check --model sc --engine brute => violation assertion:30
// check --model tso --engine brute => violation assertion:30
// check --model pso --engine brute => violation assertion:30
// A struct is assigned in pieces of eight bytes; another thread may see half of it, under every model.
#include <assert.h>
#include <pthread.h>

static struct pair {
    long a, b;
} shared;

static void *first(void *unused) {
    struct pair whole = {1, 1};
    shared = whole;
    return unused;
}

static void *second(void *unused) {
    struct pair seen = shared;
    return (void *)(long)(seen.a * 2 + seen.b);
}

int main(void) {
    pthread_t threads[2];
    void *r1, *r2;
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], &r1);
    pthread_join(threads[1], &r2);
    assert(!((long)r2 == 1 || (long)r2 == 2));
    return 0;
}
