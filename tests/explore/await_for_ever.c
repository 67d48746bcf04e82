// check --engine explore --model sc => safe traces 0 blocked 1
// check --engine explore --model tso => safe traces 0 blocked 1
// check -DSTORES=30 --engine explore --model sc => safe traces 0 blocked 1
// check -DSTORES=30 --engine explore --model tso => safe traces 0 blocked 1
// check -DSTORES=10 --engine explore --model pso => safe traces 0 blocked 1
//
// A thread waits for a value that is never stored: one blocked execution, however many other values are.
#include <pthread.h>
#include <stdatomic.h>

#ifndef STORES
#define STORES 5
#endif

static atomic_int x;

static void *writer(void *unused) {
    for (int i = 1; i <= STORES; i++) {
        atomic_store_explicit(&x, i, memory_order_relaxed);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    while (atomic_load_explicit(&x, memory_order_relaxed) != STORES + 1) {
    }
    return 0;
}
