/* Barriers of <pthread.h>. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

#include "intrinsics.h"

int pthread_barrier_init(pthread_barrier_t *restrict barrier, const pthread_barrierattr_t *restrict attributes,
                         unsigned count) {
    (void)attributes;
    if (count == 0) {
        return EINVAL;
    }
    ((unsigned *)barrier)[0] = count;
    ((unsigned *)barrier)[1] = 0;
    return 0;
}

int pthread_barrier_destroy(pthread_barrier_t *barrier) {
    PICKET_DESTROY(barrier, "barrier", ((unsigned *)barrier)[1] != 0);
    return 0;
}

int __picket_barrier_wait(void *barrier);

/* The last one to arrive wakes the others. */
int __picket_barrier_wait(void *barrier) {
    int code = __picket_barrier_arrive(barrier);
    if (code == 0) {
        __picket_barrier_sleep(barrier);
    }
    return code;
}

int pthread_barrier_wait(pthread_barrier_t *barrier) {
    return __picket_barrier_wait(barrier);
}

int pthread_barrierattr_init(pthread_barrierattr_t *attributes) {
    *(int *)attributes = 0;
    return 0;
}

int pthread_barrierattr_destroy(pthread_barrierattr_t *attributes) {
    (void)attributes;
    return 0;
}

int pthread_barrierattr_setpshared(pthread_barrierattr_t *attributes, int shared) {
    (void)attributes;
    (void)shared;
    return 0;
}
