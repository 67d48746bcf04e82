/* Spinlocks of <pthread.h>.  As in glibc on x86, unlocking is a store and no more: it may wait in the store buffer. */
#define _GNU_SOURCE
#include <pthread.h>

#include "intrinsics.h"

int pthread_spin_init(pthread_spinlock_t *lock, int shared) {
    (void)shared;
    *lock = 0;
    return 0;
}

int pthread_spin_destroy(pthread_spinlock_t *lock) {
    (void)lock;
    return 0;
}

int pthread_spin_lock(pthread_spinlock_t *lock) {
    return __picket_spin_lock((void *)lock);
}

int pthread_spin_trylock(pthread_spinlock_t *lock) {
    return __picket_spin_trylock((void *)lock);
}

int pthread_spin_unlock(pthread_spinlock_t *lock) {
    __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
    return 0;
}
