/* See barrier.h. */
#include "reach/barrier.h"

#include <unistd.h>

#define PATIENCE 4096u /* takes about as long as falling asleep and being woken */

void barrier_init(struct barrier *barrier, uint32_t members) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    atomic_init(&barrier->arrived, 0);
    atomic_init(&barrier->generation, 0);
    barrier->members = members;
    /* With more threads than cores, polling only delays the threads that have not arrived. */
    barrier->patience = cores >= (long)members ? PATIENCE : 0;
    pthread_mutex_init(&barrier->lock, NULL);
    pthread_cond_init(&barrier->opened, NULL);
}

void barrier_delete(struct barrier *barrier) {
    pthread_mutex_destroy(&barrier->lock);
    pthread_cond_destroy(&barrier->opened);
}

static bool is_generation(struct barrier *barrier, uint32_t generation) {
    return atomic_load_explicit(&barrier->generation, memory_order_acquire) == generation;
}

bool barrier_arrive(struct barrier *barrier) {
    uint32_t generation = atomic_load_explicit(&barrier->generation, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&barrier->arrived, 1, memory_order_acq_rel) + 1 == barrier->members) {
        return true;
    }
    for (uint32_t polls = 0; polls < barrier->patience; polls++) {
        if (!is_generation(barrier, generation)) {
            return false;
        }
        __builtin_ia32_pause();
    }
    pthread_mutex_lock(&barrier->lock);
    while (is_generation(barrier, generation)) {
        pthread_cond_wait(&barrier->opened, &barrier->lock);
    }
    pthread_mutex_unlock(&barrier->lock);
    return false;
}

void barrier_open(struct barrier *barrier) {
    atomic_store_explicit(&barrier->arrived, 0, memory_order_relaxed);
    pthread_mutex_lock(&barrier->lock);
    atomic_fetch_add_explicit(&barrier->generation, 1, memory_order_release);
    pthread_cond_broadcast(&barrier->opened);
    pthread_mutex_unlock(&barrier->lock);
}
