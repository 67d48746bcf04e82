// check --engine explore --model pso => safe traces 2 blocked 6
// check --engine explore --dpor source --model pso => safe traces 2 blocked 6
// check --engine brute --collect traces --model pso => safe traces 2 blocked 6
//
// A loop waits for y while stores of its own thread drain: what comes before one of these drains need not come before
// the read.
#include <pthread.h>
#include <stdatomic.h>

#include "picket.h"

static atomic_int x, y;

static void *store(void *unused) {
    atomic_store_explicit(&y, 2, memory_order_relaxed);
    atomic_store_explicit(&y, 0, memory_order_relaxed);
    atomic_store(&x, 1);
    return unused;
}

static void *store_and_wait(void *unused) {
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    while (atomic_load_explicit(&y, memory_order_relaxed) != 2) {
    }
    return unused;
}

int main(void) {
    pthread_t threads[2];
    picket_atomic_begin();
    pthread_create(&threads[0], NULL, store, NULL);
    pthread_create(&threads[1], NULL, store_and_wait, NULL);
    picket_atomic_end();
    pthread_exit(NULL);
}
