/* harness.h: what the benchmark programs share.
 *
 * Shared variables are C11 atomics, accessed by LOAD and STORE, which are plain accesses in every memory model that
 * Picket knows; all ordering comes from the fences and the read-modify-writes that a program shows.
 *
 * -DFENCES=TSO adds the fences that make a program right under TSO, -DFENCES=PSO those that make it right under PSO
 * (and so under TSO too); without it there are none.  -DFENCES=ROBUST adds to those for PSO what keeps TSO from adding
 * any behaviour at all, also where none of it does harm. */
#ifndef HARNESS_H
#define HARNESS_H

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define NONE 0
#define TSO 1
#define PSO 2
#define ROBUST 3
#ifndef FENCES
#define FENCES NONE
#endif

/* A full fence: what was stored before it is in memory before anything is loaded after it. */
#if FENCES >= TSO
#define FENCE_FROM_TSO() atomic_thread_fence(memory_order_seq_cst)
#else
#define FENCE_FROM_TSO() (void)0
#endif

/* A full fence that keeps harmless behaviour away. */
#if FENCES >= ROBUST
#define FENCE_FOR_ROBUSTNESS() atomic_thread_fence(memory_order_seq_cst)
#else
#define FENCE_FOR_ROBUSTNESS() (void)0
#endif

/* Stores before it reach memory before those after it, as TSO guarantees anyway. */
#if FENCES >= PSO
#define STORE_FENCE_FROM_PSO() atomic_thread_fence(memory_order_release)
#else
#define STORE_FENCE_FROM_PSO() (void)0
#endif

#define LOAD(variable) atomic_load_explicit(&(variable), memory_order_relaxed)
#define STORE(variable, value) atomic_store_explicit(&(variable), value, memory_order_relaxed)

#define MAX_THREADS 64

static inline bool compare_and_swap(_Atomic int *variable, int old, int value) {
    return atomic_compare_exchange_strong(variable, &old, value);
}

/* Runs `count` threads to their end; each gets its number, from 0. */
static inline void run_threads(int count, void *(*body)(void *)) {
    pthread_t threads[MAX_THREADS];
    for (int i = 0; i < count; i++) {
        pthread_create(&threads[i], NULL, body, (void *)(intptr_t)i);
    }
    for (int i = 0; i < count; i++) {
        pthread_join(threads[i], NULL);
    }
}

static inline void run_pair(void *(*first)(void *), void *(*second)(void *)) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
}

#endif
