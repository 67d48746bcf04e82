// robust --model tso => violation not-robust:16
// robust --model pso => violation not-robust:16
// robust --model tso -DFENCED => safe
// robust --model pso -DFENCED => safe
// Store buffering without an assertion: the buffer adds an outcome, whether or not anybody minds.
#include <pthread.h>

#ifdef FENCED
#define FENCE() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#else
#define FENCE() (void)0
#endif

static int x, y;
static void *one(void *unused) {
    __atomic_store_n(&x, 1, __ATOMIC_RELAXED); // delayed
    FENCE();
    (void)__atomic_load_n(&y, __ATOMIC_RELAXED);
    return unused;
}

static void *other(void *unused) {
    __atomic_store_n(&y, 1, __ATOMIC_RELAXED);
    FENCE();
    (void)__atomic_load_n(&x, __ATOMIC_RELAXED);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, other, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
