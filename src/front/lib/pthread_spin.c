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
    PICKET_DESTROY(lock, "spin lock", word != 0);
    return 0;
}

/* If misuse is reported, each thread knows its spin locks; a lock's word only says that it is held. */
static int note(int code, pthread_spinlock_t *lock) {
    return __picket_checks_misuse() ? __picket_hold(code, (void *)lock) : code;
}

int pthread_spin_lock(pthread_spinlock_t *lock) {
    return note(__picket_spin_lock((void *)lock), lock);
}

int pthread_spin_trylock(pthread_spinlock_t *lock) {
    return note(__picket_spin_trylock((void *)lock), lock);
}

/* A release store.  It is an error if the thread does not hold the lock, with `--check misuse`; not noticed if the
 * thread holds more than 12 locks, spin locks and those for reading together. */
int pthread_spin_unlock(pthread_spinlock_t *lock) {
    if (__picket_checks_misuse() && !__picket_let_go((void *)lock)) {
        if (__atomic_load_n((unsigned *)lock, __ATOMIC_RELAXED) == PICKET_DESTROYED) {
            __picket_error_DESTROYED("a spin lock is unlocked that was destroyed");
        }
        __picket_error_NOT_OWNER("a spin lock is unlocked by a thread that does not hold it");
    }
    __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
    return 0;
}
