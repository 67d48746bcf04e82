/* Read-write locks of <pthread.h>.  A lock counts its readers but does not know them; each thread knows which locks it
 * holds for reading (held.c). */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

#include "intrinsics.h"

int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes) {
    (void)attributes;
    ((int *)lock)[0] = 0;
    ((int *)lock)[1] = 0;
    return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t *lock) {
    PICKET_DESTROY(lock, "reader-writer lock", word != 0 || ((int *)lock)[1] != 0);
    return 0;
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
    return __picket_hold(__picket_read_lock(lock), lock);
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) {
    return __picket_hold(__picket_read_trylock(lock), lock);
}

/* May time out at any moment. */
int pthread_rwlock_timedrdlock(pthread_rwlock_t *restrict lock, const struct timespec *restrict deadline) {
    (void)deadline;
    return __picket_hold(__picket_read_timedlock(lock), lock);
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *deadline) {
    (void)clock;
    (void)deadline;
    return __picket_hold(__picket_read_timedlock(lock), lock);
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
    return __picket_write_lock(lock);
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) {
    return __picket_write_trylock(lock);
}

/* May time out at any moment. */
int pthread_rwlock_timedwrlock(pthread_rwlock_t *restrict lock, const struct timespec *restrict deadline) {
    (void)deadline;
    return __picket_write_timedlock(lock);
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *deadline) {
    (void)clock;
    (void)deadline;
    return __picket_write_timedlock(lock);
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
    return __picket_let_go(lock) ? __picket_read_unlock(lock) : __picket_write_unlock(lock);
}

int pthread_rwlockattr_init(pthread_rwlockattr_t *attributes) {
    *(int *)attributes = 0;
    return 0;
}

int pthread_rwlockattr_destroy(pthread_rwlockattr_t *attributes) {
    (void)attributes;
    return 0;
}

/* Whether readers or writers go first is the scheduler's choice; all choices are explored. */
int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *attributes, int kind) {
    *(int *)attributes = kind;
    return 0;
}

int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *attributes, int *kind) {
    *kind = *(const int *)attributes;
    return 0;
}

int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *attributes, int shared) {
    (void)attributes;
    (void)shared;
    return 0;
}
