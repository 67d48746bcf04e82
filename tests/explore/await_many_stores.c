// check --engine explore --model sc => safe traces 1
// check --engine explore --model tso => safe traces 1
// check --engine explore --model pso => safe traces 1
// check -DSTORES=40 --engine explore --model sc => safe traces 1
// check -DSTORES=40 --engine explore --model tso => safe traces 1
// check -DSTORES=12 --engine explore --model pso => safe traces 1
//
// A thread waits for the last of many stores: the others are never read, so there is one execution, however many there
// are, and none is blocked.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef STORES
#define STORES 5
#endif

static atomic_int x;

static void *waiter(void *unused) {
    while (atomic_load_explicit(&x, memory_order_relaxed) != STORES) {
    }
    assert(x == STORES);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    for (int i = 1; i <= STORES; i++) {
        atomic_store_explicit(&x, i, memory_order_relaxed);
    }
    pthread_join(thread, NULL);
    return 0;
}
