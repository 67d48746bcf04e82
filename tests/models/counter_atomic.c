// check --model sc --engine brute => safe
// check --model tso --engine brute => safe
// check --model pso --engine brute => safe
// An atomic increment loses nothing.
#include <assert.h>
#include <pthread.h>

static _Atomic int x;

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
