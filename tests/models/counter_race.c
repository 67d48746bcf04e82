// check --model sc --engine brute => violation assertion:27
// check --model tso --engine brute => violation assertion:27
// check --model pso --engine brute => violation assertion:27
// An increment is a load and a store: one of two may be lost under every model.
#include <assert.h>
#include <pthread.h>

static int x;

static void *first(void *unused) {
    x++;
    return unused;
}

static void *second(void *unused) {
    x++;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    void *r1, *r2;
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], &r1);
    pthread_join(threads[1], &r2);
    assert(!(x != 2));
    return 0;
}
