// robust --engine explore --model tso => undecided
// robust --engine oracle --model tso => violation not-robust
// robust --model tso => violation not-robust
// robust --engine explore --model pso => undecided
// robust --engine oracle --model tso -DFENCED => safe
// robust --model tso -DFENCED => safe
// fence --model tso => output "2 fences"
/* A thread is blocked in an atomic section, which no thread passes then; before it the others can do what only a store
 * buffer allows.  `explore` skips some of that, and says so. */
#include <pthread.h>
#include <stdatomic.h>

#include "picket.h"

static atomic_int x, y, zero;

static void *one(void *argument) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
#ifdef FENCED
    atomic_thread_fence(memory_order_seq_cst);
#endif
    atomic_load_explicit(&y, memory_order_relaxed);
    return argument;
}

static void *other(void *argument) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
#ifdef FENCED
    atomic_thread_fence(memory_order_seq_cst);
#endif
    atomic_load_explicit(&x, memory_order_relaxed);
    return argument;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, one, NULL);
    pthread_create(&threads[1], NULL, other, NULL);
    picket_atomic_begin();
    while (atomic_load_explicit(&zero, memory_order_relaxed) == 0) {
    }
    picket_atomic_end();
}
