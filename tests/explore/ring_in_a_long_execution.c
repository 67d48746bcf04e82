// check --engine explore --model sc => safe traces 15 blocked 0
// check --engine explore --model tso => safe traces 16 blocked 0
// check --engine explore --model pso => safe traces 16 blocked 0
// check --engine explore --dpor source --model tso => safe traces 16 blocked 0
// check --engine explore --model tso -j 2 => safe traces 16 blocked 0
//
// The store-buffering ring of four threads, each of which does much of its own before and after it: as many behaviours
// as without that.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

enum { THREADS = 4, ROUNDS = 50 };

static atomic_int ring[THREADS];
static atomic_int own[THREADS];
static atomic_int seen[THREADS];

static void *run(void *argument) {
    intptr_t i = (intptr_t)argument;
    for (int k = 0; k < ROUNDS; k++) {
        atomic_fetch_add_explicit(&own[i], 1, memory_order_relaxed);
    }
    atomic_store_explicit(&ring[i], 1, memory_order_relaxed);
    int read = atomic_load_explicit(&ring[(i + 1) % THREADS], memory_order_relaxed);
    atomic_store_explicit(&seen[i], read, memory_order_relaxed);
    for (int k = 0; k < ROUNDS; k++) {
        atomic_store_explicit(&own[i], k, memory_order_relaxed);
    }
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    for (intptr_t i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], 0, run, (void *)i);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], 0);
    }
}
