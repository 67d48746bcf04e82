/* Time.  A thread's clock starts at the same moment for all and moves on by a millisecond each time it is read, so
 * loops that wait for a deadline end; sleeping is a sign of waiting, no more. */
#define _GNU_SOURCE
#include <poll.h>
#include <sys/select.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "intrinsics.h"

#define START_SECONDS 1700000000

static _Thread_local long milliseconds;

static struct timespec clock_read(void) {
    long now = ++milliseconds;
    return (struct timespec){START_SECONDS + now / 1000, now % 1000 * 1000000};
}

time_t time(time_t *result) {
    time_t now = clock_read().tv_sec;
    if (result) {
        *result = now;
    }
    return now;
}

clock_t clock(void) {
    return ++milliseconds * 1000;
}

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

int timespec_get(struct timespec *result, int base) {
    *result = clock_read();
    return base;
}

int gettimeofday(struct timeval *restrict result, void *restrict zone) {
    (void)zone;
    struct timespec now = clock_read();
    *result = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

double difftime(time_t end, time_t begin) {
    return (double)(end - begin);
}

unsigned sleep(unsigned seconds) {
    (void)seconds;
    __picket_sleep();
    return 0;
}

int usleep(useconds_t duration) {
    (void)duration;
    __picket_sleep();
    return 0;
}

int nanosleep(const struct timespec *duration, struct timespec *remaining) {
    (void)duration;
    (void)remaining;
    __picket_sleep();
    return 0;
}

int clock_nanosleep(clockid_t clock_number, int flags, const struct timespec *duration, struct timespec *remaining) {
    (void)clock_number;
    (void)flags;
    (void)duration;
    (void)remaining;
    __picket_sleep();
    return 0;
}

/* Used to wait a while; there is nothing that could become ready. */
int poll(struct pollfd *files, nfds_t count, int timeout) {
    (void)files;
    (void)count;
    (void)timeout;
    __picket_sleep();
    return 0;
}

int select(int count, fd_set *restrict reads, fd_set *restrict writes, fd_set *restrict errors,
           struct timeval *restrict timeout) {
    (void)count;
    (void)reads;
    (void)writes;
    (void)errors;
    (void)timeout;
    __picket_sleep();
    return 0;
}
