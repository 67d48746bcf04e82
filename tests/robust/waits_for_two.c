// robust --engine explore --model tso => violation not-robust
// robust --engine explore --model pso => violation not-robust
// robust --engine oracle --model tso => violation not-robust
// robust --engine explore --model tso -DFENCED => safe
// robust --engine explore --model pso -DFENCED => safe
// robust --engine oracle --model tso -DFENCED => safe
/* A loop that reads two variables: what it reads in failed iterations is a behaviour too. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, both;

static void *waiter(void *argument) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
#ifdef FENCED
    atomic_thread_fence(memory_order_seq_cst);
#endif
    while (atomic_load_explicit(&both, memory_order_relaxed) == 0 ||
           atomic_load_explicit(&y, memory_order_relaxed) == 0) {
    }
    return argument;
}

static void *storer(void *argument) {
    atomic_store_explicit(&both, 1, memory_order_relaxed);
#ifdef FENCED
    atomic_thread_fence(memory_order_seq_cst);
#endif
    atomic_store_explicit(&y, 1, memory_order_relaxed);
#ifdef FENCED
    atomic_thread_fence(memory_order_seq_cst);
#endif
    (void)atomic_load_explicit(&x, memory_order_relaxed);
    return argument;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, waiter, NULL);
    pthread_create(&other, NULL, storer, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
