// check --engine seq --model sc => safe
// check --engine seq --model tso => safe
// check --engine seq --model pso => safe
// check --engine seq --model tso -DTWO => safe
// check --engine seq --model pso -DTWO => violation assertion:18
// check --engine seq --model pso -DTWO -DBARRIER => safe
// check --engine explore --model pso -DTWO => violation assertion:18
// Two stores to one place stay in order under PSO, two to two places do not.
#include <assert.h>
#include <pthread.h>

static int x, y;

static void *other(void *unused) {
#ifdef TWO
    int first = __atomic_load_n(&y, __ATOMIC_RELAXED);
    int second = __atomic_load_n(&x, __ATOMIC_RELAXED);
    assert(first == 0 || second == 1);
#else
    int first = __atomic_load_n(&x, __ATOMIC_RELAXED);
    int second = __atomic_load_n(&x, __ATOMIC_RELAXED);
    assert(first <= second);
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    __atomic_store_n(&x, 1, __ATOMIC_RELAXED);
#ifdef BARRIER
    __atomic_thread_fence(__ATOMIC_RELEASE);
#endif
#ifdef TWO
    __atomic_store_n(&y, 1, __ATOMIC_RELAXED);
#else
    __atomic_store_n(&x, 2, __ATOMIC_RELAXED);
#endif
    pthread_join(thread, NULL);
}
