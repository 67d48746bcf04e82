// check --model sc --engine brute => safe
// check --model tso --engine brute => safe
// check --model pso --engine brute => safe
// The instruction mfence, and the locked addition to the stack, wait for the buffer.
#include <assert.h>
#include <pthread.h>

static int x, y;

static void *first(void *unused) {
    x = 1;
    __asm__ volatile("mfence" ::: "memory");
    return (void *)(long)(y);
}

static void *second(void *unused) {
    y = 1;
    __asm__ volatile("lock; addl $0,0(%%rsp)" ::: "memory", "cc");
    return (void *)(long)(x);
}

int main(void) {
    pthread_t threads[2];
    void *r1, *r2;
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], &r1);
    pthread_join(threads[1], &r2);
    assert(!((long)r1 == 0 && (long)r2 == 0));
    return 0;
}
