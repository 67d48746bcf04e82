// check --model sc --engine brute => safe
// check --model tso --engine brute => violation assertion:18
// check --model tso --engine brute -DFENCED => safe
// Burns' algorithm for two threads: one flag each, the lower number has to step back.
#include <assert.h>
#include <pthread.h>

#ifdef FENCED
#define FENCE() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#else
#define FENCE() (void)0
#endif

static int flags[2], inside;

static void critical(void) {
    inside++;
    assert(inside == 1); // here
    inside--;
}

static void *low(void *unused) {
    flags[0] = 1;
    FENCE();
    while (flags[1])
        ;
    critical();
    FENCE();
    flags[0] = 0;
    return unused;
}

static void *high(void *unused) {
    do {
        flags[1] = 0;
        while (flags[0])
            ;
        flags[1] = 1;
        FENCE();
    } while (flags[0]);
    critical();
    FENCE();
    flags[1] = 0;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, low, NULL);
    pthread_create(&b, NULL, high, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
