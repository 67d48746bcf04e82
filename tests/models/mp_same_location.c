// check --model sc --engine brute => safe
// check --model tso --engine brute => safe
// check --model pso --engine brute => safe
// Stores of one thread to one place stay in order, also under PSO.
#include <assert.h>
#include <pthread.h>

static int x;

static void *first(void *unused) {
    x = 1;
    x = 2;
    return unused;
}

static void *second(void *unused) {
    int early = x;
    int late = x;
    return (void *)(long)(early * 4 + late);
}

int main(void) {
    pthread_t threads[2];
    void *r1, *r2;
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], &r1);
    pthread_join(threads[1], &r2);
    assert(!((long)r2 == 9 || (long)r2 == 8 || (long)r2 == 4));
    return 0;
}
