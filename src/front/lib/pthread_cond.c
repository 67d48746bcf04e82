/* Condition variables of <pthread.h>. */
#define _GNU_SOURCE
#include <pthread.h>

#include "intrinsics.h"

int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes) {
    (void)attributes;
    ((int *)condition)[0] = 0;
    ((int *)condition)[1] = 0;
    return 0;
}

int pthread_cond_destroy(pthread_cond_t *condition) {
    PICKET_DESTROY(condition, "condition variable", ((int *)condition)[1] != 0);
    return 0;
}

/* A wait releases the mutex, sleeps until it is woken, and takes the mutex again, as often as the thread held it. */
int __picket_cond_wait(void *condition, void *mutex) {
    __picket_assumes_spurious();
    unsigned long depth = __picket_cond_release(condition, mutex);
    int code = __picket_cond_sleep(condition);
    __picket_mutex_retake(mutex, depth);
    return code;
}

int __picket_cond_timedwait(void *condition, void *mutex) {
    __picket_assumes_spurious();
    unsigned long depth = __picket_cond_release(condition, mutex);
    int code = __picket_cond_timedsleep(condition);
    __picket_mutex_retake(mutex, depth);
    return code;
}

int pthread_cond_wait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex) {
    return __picket_cond_wait(condition, mutex);
}

/* May time out at any moment. */
int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict deadline) {
    (void)deadline;
    return __picket_cond_timedwait(condition, mutex);
}

int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                           const struct timespec *deadline) {
    (void)clock;
    (void)deadline;
    return __picket_cond_timedwait(condition, mutex);
}

int pthread_cond_signal(pthread_cond_t *condition) {
    return __picket_cond_signal(condition);
}

int pthread_cond_broadcast(pthread_cond_t *condition) {
    return __picket_cond_broadcast(condition);
}

int pthread_condattr_init(pthread_condattr_t *attributes) {
    *(int *)attributes = 0;
    return 0;
}

int pthread_condattr_destroy(pthread_condattr_t *attributes) {
    (void)attributes;
    return 0;
}

int pthread_condattr_setclock(pthread_condattr_t *attributes, clockid_t clock) {
    *(int *)attributes = clock;
    return 0;
}

int pthread_condattr_getclock(const pthread_condattr_t *attributes, clockid_t *clock) {
    *clock = *(const int *)attributes;
    return 0;
}

int pthread_condattr_setpshared(pthread_condattr_t *attributes, int shared) {
    (void)attributes;
    (void)shared;
    return 0;
}
