// robust --engine explore --model tso => violation not-robust
// robust --engine oracle --model tso => violation not-robust
// robust --engine explore --model pso => violation not-robust
// robust --engine explore --model tso -DFENCED => safe
// robust --engine oracle --model tso -DFENCED => safe
/* A loop that waits for bytes beside those that its thread has stored reads only when that store has drained; it may
 * still look before the other one's. */
#include <pthread.h>
#include <stdatomic.h>

static union {
    _Atomic short half[2];
    _Atomic int both;
} word;

static void *waiter(void *argument) {
    atomic_store_explicit(&word.half[1], 1, memory_order_relaxed);
    while (atomic_load_explicit(&word.both, memory_order_relaxed) != 1) {
    }
    return argument;
}

static void *storer(void *argument) {
    atomic_store_explicit(&word.half[0], 1, memory_order_relaxed);
#ifdef FENCED
    atomic_thread_fence(memory_order_seq_cst);
#endif
    (void)atomic_load_explicit(&word.half[1], memory_order_relaxed);
    return argument;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, waiter, NULL);
    pthread_create(&other, NULL, storer, NULL);
    pthread_join(other, NULL);
    return 0;
}
