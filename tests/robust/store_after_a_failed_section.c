// robust --engine explore --model tso => violation not-robust
// robust --engine oracle --model tso => violation not-robust
// robust --engine oracle -j 2 --model tso => violation not-robust
// robust --engine explore --model tso -DFENCED => safe
// robust --engine oracle --model tso -DFENCED => safe
/* One thread fails in an atomic section, and what another has stored before reaches memory after that. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "picket.h"

static atomic_int x, y;

static void *stores(void *argument) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
#ifdef FENCED
    atomic_thread_fence(memory_order_seq_cst);
#endif
    atomic_load_explicit(&y, memory_order_relaxed);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, stores, NULL);
    picket_atomic_begin();
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    assert(atomic_load_explicit(&x, memory_order_relaxed) != 0);
    picket_atomic_end();
}
