/* Read-write locks of <pthread.h>.
 *
 * A lock counts its readers but does not know them; each thread knows which locks it holds for reading, in a table that
 * is sorted, so that the same locks are the same state in whatever order they were taken.  Its entries are gone through
 * without a loop: what a loop bound cuts must be loops of the program. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

#include "intrinsics.h"

#define HELD 12
#define EACH_HELD(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11)

static _Thread_local void *held[HELD + 1]; /* ascending, then zeros; a lock stands as often as it is held */
static _Thread_local unsigned more;        /* those for which there was no room: only their number is known */

static int note_held(int code, void *lock) {
    if (code != 0) {
        return code;
    }
    if (held[HELD - 1]) {
        more++;
        return 0;
    }
#define INSERT(i)                                                                                                      \
    if (!held[i] || held[i] > lock) {                                                                                  \
        void *next = held[i];                                                                                          \
        held[i] = lock;                                                                                                \
        lock = next;                                                                                                   \
    }
    EACH_HELD(INSERT)
#undef INSERT
    return 0;
}

/* Removes a lock from the table; was it there? */
static int forget_held(void *lock) {
    int found = 0;
#define REMOVE(i)                                                                                                      \
    found |= held[i] == lock;                                                                                          \
    if (found) {                                                                                                       \
        held[i] = held[i + 1];                                                                                         \
    }
    EACH_HELD(REMOVE)
#undef REMOVE
    if (!found && more > 0) {
        more--;
        found = 1;
    }
    return found;
}

int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes) {
    (void)attributes;
    ((int *)lock)[0] = 0;
    ((int *)lock)[1] = 0;
    return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t *lock) {
    (void)lock;
    return 0;
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
    return note_held(__picket_read_lock(lock), lock);
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) {
    return note_held(__picket_read_trylock(lock), lock);
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t *restrict lock, const struct timespec *restrict deadline) {
    (void)deadline;
    return note_held(__picket_read_timedlock(lock), lock);
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *deadline) {
    (void)clock;
    (void)deadline;
    return note_held(__picket_read_timedlock(lock), lock);
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
    return __picket_write_lock(lock);
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) {
    return __picket_write_trylock(lock);
}

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
    return forget_held(lock) ? __picket_read_unlock(lock) : __picket_write_unlock(lock);
}

int pthread_rwlockattr_init(pthread_rwlockattr_t *attributes) {
    *(int *)attributes = 0;
    return 0;
}

int pthread_rwlockattr_destroy(pthread_rwlockattr_t *attributes) {
    (void)attributes;
    return 0;
}

/* Whether readers or writers go first is the scheduler's choice; all choices are looked at. */
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
