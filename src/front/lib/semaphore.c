/* Unnamed semaphores of <semaphore.h>. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <semaphore.h>

#include "intrinsics.h"

static int semaphore_result(int code) {
    if (code == 0) {
        return 0;
    }
    errno = code;
    return -1;
}

int sem_init(sem_t *semaphore, int shared, unsigned value) {
    (void)shared;
    if (value > INT_MAX) {
        return semaphore_result(EINVAL);
    }
    *(unsigned *)semaphore = value;
    return 0;
}

int sem_destroy(sem_t *semaphore) {
    PICKET_DESTROY(semaphore, "semaphore", 0);
    return 0;
}

/* Never interrupted by a signal. */
int sem_wait(sem_t *semaphore) {
    return semaphore_result(__picket_sem_wait(semaphore));
}

int sem_trywait(sem_t *semaphore) {
    return semaphore_result(__picket_sem_trywait(semaphore));
}

/* May time out at any moment. */
int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict deadline) {
    (void)deadline;
    return semaphore_result(__picket_sem_timedwait(semaphore));
}

int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *deadline) {
    (void)clock;
    (void)deadline;
    return semaphore_result(__picket_sem_timedwait(semaphore));
}

int sem_post(sem_t *semaphore) {
    return semaphore_result(__picket_sem_post(semaphore));
}

int sem_getvalue(sem_t *restrict semaphore, int *restrict value) {
    *value = __atomic_load_n((int *)semaphore, __ATOMIC_RELAXED);
    return 0;
}
