// check --model sc --engine brute => safe
// check --model tso --engine brute => violation assertion:37
// check --model pso --engine brute => violation assertion:37
// check --model tso --engine brute -DFENCED => violation assertion:37
// A narrow load is served from a wider buffered store that covers it.
#include <assert.h>
#include <pthread.h>

#ifdef FENCED
#define FENCE() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#else
#define FENCE() (void)0
#endif

static int x, y;

static void *first(void *unused) {
    x = 0x01010101;
    int part = ((volatile char *)&x)[2];
    int other = y;
    return (void *)(long)(part * 2 + other);
}

static void *second(void *unused) {
    y = 1;
    FENCE();
    return (void *)(long)(x != 0);
}

int main(void) {
    pthread_t threads[2];
    void *r1, *r2;
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], &r1);
    pthread_join(threads[1], &r2);
    assert(!((long)r1 == 2 && (long)r2 == 0));
    return 0;
}
