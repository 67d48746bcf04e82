/* Signals are not sent here.  That is an assumption, which is recorded where a program sets up a handler or an alarm;
 * doing so succeeds and changes nothing. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>

#include "intrinsics.h"

int sigemptyset(sigset_t *set) {
    __picket_memset(set, 0, sizeof *set);
    return 0;
}

int sigfillset(sigset_t *set) {
    __picket_memset(set, 255, sizeof *set);
    return 0;
}

int sigaddset(sigset_t *set, int number) {
    ((unsigned long *)set)[(number - 1) / 64] |= 1UL << (number - 1) % 64;
    return 0;
}

int sigdelset(sigset_t *set, int number) {
    ((unsigned long *)set)[(number - 1) / 64] &= ~(1UL << (number - 1) % 64);
    return 0;
}

int sigismember(const sigset_t *set, int number) {
    return ((const unsigned long *)set)[(number - 1) / 64] >> (number - 1) % 64 & 1;
}

static _Thread_local sigset_t mask;

/* Stored for the thread.  A thread that it creates begins with an empty mask, while POSIX has it inherit the mask: it
 * is assumed that blocked signals make no difference, which is recorded where a mask that is not empty is set. */
int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict old) {
    if (set && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK) {
        return EINVAL;
    }
    unsigned long *words = (unsigned long *)&mask;
    if (old) {
        ((unsigned long *)old)[0] = words[0];
    }
    if (set) {
        unsigned long given = ((const unsigned long *)set)[0];
        words[0] = how == SIG_BLOCK ? words[0] | given : how == SIG_UNBLOCK ? words[0] & ~given : given;
        if (words[0]) {
            __picket_assumes_signals();
        }
    }
    return 0;
}

int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old) {
    return pthread_sigmask(how, set, old);
}

/* Nothing is stored; the old action is the default. */
int sigaction(int number, const struct sigaction *restrict action, struct sigaction *restrict old) {
    __picket_assumes_signals();
    (void)number;
    (void)action;
    if (old) {
        __picket_memset(old, 0, sizeof *old);
    }
    return 0;
}

/* Nothing is stored; the old handler is the default. */
__sighandler_t signal(int number, __sighandler_t handler) {
    __picket_assumes_signals();
    (void)number;
    (void)handler;
    return SIG_DFL;
}

/* The alarm never arrives; none was set before. */
unsigned alarm(unsigned seconds) {
    __picket_assumes_signals();
    (void)seconds;
    return 0;
}
