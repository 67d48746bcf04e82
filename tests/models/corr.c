// check --model sc --engine brute => safe
// check --model tso --engine brute => safe
// check --model pso --engine brute => safe
// Two loads of one place do not see it go back.
#include <assert.h>
#include <pthread.h>

static int x;

static void *first(void *unused) {
    x = 1;
    return unused;
}

static void *second(void *unused) {
    int early = x;
    int late = x;
    return (void *)(long)(early * 2 + late);
}

int main(void) {
    pthread_t threads[2];
    void *r1, *r2;
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], &r1);
    pthread_join(threads[1], &r2);
    assert(!((long)r2 == 2));
    return 0;
}
