/* Mutexes of <pthread.h>.  The state is the instruction set's own (see SYNC_KINDS); the kind is where glibc's static
 * initialisers put it. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

#include "intrinsics.h"

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
    mutex->__data.__lock = 0;
    mutex->__data.__count = 0;
    mutex->__data.__kind = attributes ? *(const int *)attributes : 0;
    return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex) {
    int held = mutex->__data.__lock != 0;
    PICKET_DESTROY(mutex, "mutex", held);
    return held ? EBUSY : 0;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    return __picket_mutex_lock(mutex);
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
    return __picket_mutex_trylock(mutex);
}

/* May time out at any moment. */
int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex, const struct timespec *restrict deadline) {
    (void)deadline;
    return __picket_mutex_timedlock(mutex);
}

int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *deadline) {
    (void)clock;
    (void)deadline;
    return __picket_mutex_timedlock(mutex);
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    return __picket_mutex_unlock(mutex);
}

int pthread_mutex_consistent(pthread_mutex_t *mutex) {
    (void)mutex;
    return EINVAL;
}

int pthread_mutexattr_init(pthread_mutexattr_t *attributes) {
    *(int *)attributes = 0;
    return 0;
}

int pthread_mutexattr_destroy(pthread_mutexattr_t *attributes) {
    (void)attributes;
    return 0;
}

/* An adaptive mutex is a normal one that spins first. */
int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int type) {
    if (type < PTHREAD_MUTEX_NORMAL || type > PTHREAD_MUTEX_ADAPTIVE_NP) {
        return EINVAL;
    }
    *(int *)attributes = type == PTHREAD_MUTEX_ADAPTIVE_NP ? 0 : type;
    return 0;
}

int pthread_mutexattr_gettype(const pthread_mutexattr_t *attributes, int *type) {
    *type = *(const int *)attributes;
    return 0;
}

/* One process, no priorities, no thread dies holding a lock unnoticed: these change nothing. */
int pthread_mutexattr_setpshared(pthread_mutexattr_t *attributes, int shared) {
    (void)attributes;
    return shared == PTHREAD_PROCESS_PRIVATE || shared == PTHREAD_PROCESS_SHARED ? 0 : EINVAL;
}

int pthread_mutexattr_getpshared(const pthread_mutexattr_t *attributes, int *shared) {
    (void)attributes;
    *shared = PTHREAD_PROCESS_PRIVATE;
    return 0;
}

int pthread_mutexattr_setprotocol(pthread_mutexattr_t *attributes, int protocol) {
    (void)attributes;
    (void)protocol;
    return 0;
}

int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *attributes, int ceiling) {
    (void)attributes;
    (void)ceiling;
    return 0;
}
