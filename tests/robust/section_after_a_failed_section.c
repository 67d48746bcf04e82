// robust --engine explore --model tso => safe
// robust --engine oracle --model tso => safe
// robust --engine oracle -j 2 --model tso => safe
// robust --engine explore --model tso -DHOLDS => violation not-robust
// robust --engine oracle --model tso -DHOLDS => violation not-robust
/* An assertion fails in an atomic section: that is where the execution ends.  A section of another thread that would
 * close a cycle comes only after that one, so there is none; without the assertion there is. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "picket.h"

static atomic_int x, y;

static void *stores(void *argument) {
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    atomic_load_explicit(&y, memory_order_relaxed);
    return argument;
}

static void *follows(void *argument) {
    picket_atomic_begin();
    if (atomic_load_explicit(&y, memory_order_relaxed) == 2) {
        atomic_store_explicit(&x, 0, memory_order_relaxed);
    }
    picket_atomic_end();
    return argument;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, stores, NULL);
    pthread_create(&threads[1], NULL, follows, NULL);
    picket_atomic_begin();
    atomic_store_explicit(&y, 2, memory_order_relaxed);
#ifndef HOLDS
    assert(atomic_load_explicit(&y, memory_order_relaxed) != 2);
#endif
    picket_atomic_end();
}
