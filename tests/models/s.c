// check --model sc --engine brute => safe
// check --model tso --engine brute => safe
// check --model pso --engine brute => violation assertion:37
// check --model pso --engine brute -DFENCED => safe
// Shape S: a store that overtakes an older one is seen, and the older one still wins.
#include <assert.h>
#include <pthread.h>

#ifdef FENCED
#define FENCE() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#else
#define FENCE() (void)0
#endif

static int x, y;

static void *first(void *unused) {
    x = 2;
    FENCE();
    y = 1;
    return unused;
}

static void *second(void *unused) {
    int seen = y;
    x = 1;
    return (void *)(long)(seen);
}

int main(void) {
    pthread_t threads[2];
    void *r1, *r2;
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], &r1);
    pthread_join(threads[1], &r2);
    assert(!((long)r2 == 1 && x == 2));
    return 0;
}
