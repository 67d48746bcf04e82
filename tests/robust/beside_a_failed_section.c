// robust --engine explore --model tso => violation not-robust
// robust --engine oracle --model tso => violation not-robust
// robust --engine explore --model pso => violation not-robust
// robust --engine explore --model tso -DFENCED => safe
// robust --engine oracle --model tso -DFENCED => safe
/* One thread fails in an atomic section, which no thread passes then; before it the others can do what only a store
 * buffer allows. */
#include <assert.h>
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
    assert(zero != 0);
    picket_atomic_end();
}
