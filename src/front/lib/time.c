/* Time.  There is one clock for all threads, which advances by a millisecond or by an hour each time it is read: a
 * deadline may have passed or not, loops that wait for one end, and no thread sees it decrease.  Reading it is an
 * atomic operation, which empties the store buffer.  That is an assumption, which is recorded.  Sleeping is only a sign
 * of waiting. */
#define _GNU_SOURCE
#include <poll.h>
#include <sys/select.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "intrinsics.h"

#define START_SECONDS 1700000000

#define HOUR 3600000

_Bool __VERIFIER_nondet_bool(void);

static long milliseconds;

static long clock_advance(void) {
    __picket_assumes_clock();
    return __atomic_add_fetch(&milliseconds, __VERIFIER_nondet_bool() ? HOUR : 1, __ATOMIC_RELAXED);
}

static struct timespec clock_read(void) {
    long now = clock_advance();
    return (struct timespec){START_SECONDS + now / 1000, now % 1000 * 1000000};
}

/* Seconds of the clock. */
time_t time(time_t *result) {
    time_t now = clock_read().tv_sec;
    if (result) {
        *result = now;
    }
    return now;
}

/* Microseconds of the clock. */
clock_t clock(void) {
    return clock_advance() * 1000;
}

/* All clocks are the same. */
int clock_gettime(clockid_t clock_number, struct timespec *result) {
    (void)clock_number;
    *result = clock_read();
    return 0;
}

int clock_getres(clockid_t clock_number, struct timespec *result) {
    (void)clock_number;
    if (result) {
        *result = (struct timespec){0, 1};
    }
    return 0;
}

/* The clock. */
int timespec_get(struct timespec *result, int base) {
    *result = clock_read();
    return base;
}

/* The clock. */
int gettimeofday(struct timeval *restrict result, void *restrict zone) {
    (void)zone;
    struct timespec now = clock_read();
    *result = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

double difftime(time_t end, time_t begin) {
    return (double)(end - begin);
}

/* A sign of waiting, never interrupted; takes any time. */
unsigned sleep(unsigned seconds) {
    (void)seconds;
    __picket_sleep();
    return 0;
}

/* A sign of waiting, never interrupted; takes any time. */
int usleep(useconds_t duration) {
    (void)duration;
    __picket_sleep();
    return 0;
}

/* A sign of waiting, never interrupted; takes any time. */
int nanosleep(const struct timespec *duration, struct timespec *remaining) {
    (void)duration;
    (void)remaining;
    __picket_sleep();
    return 0;
}

/* A sign of waiting, never interrupted; takes any time. */
int clock_nanosleep(clockid_t clock_number, int flags, const struct timespec *duration, struct timespec *remaining) {
    (void)clock_number;
    (void)flags;
    (void)duration;
    (void)remaining;
    __picket_sleep();
    return 0;
}

/* Used to wait for some time; nothing ever becomes ready. */
int poll(struct pollfd *files, nfds_t count, int timeout) {
    if (count > 0) {
        __picket_assumes_input();
    }
    (void)files;
    (void)count;
    (void)timeout;
    __picket_sleep();
    return 0;
}

int select(int count, fd_set *restrict reads, fd_set *restrict writes, fd_set *restrict errors,
           struct timeval *restrict timeout) {
    if (count > 0) {
        __picket_assumes_input();
    }
    (void)reads;
    (void)writes;
    (void)errors;
    (void)timeout;
    __picket_sleep();
    return 0;
}
