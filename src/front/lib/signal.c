/* Signals are not sent here: what sets up masks and handlers succeeds and changes nothing. */
#define _GNU_SOURCE
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

int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict old) {
    (void)how;
    (void)set;
    return old ? sigemptyset(old) : 0;
}

int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old) {
    return pthread_sigmask(how, set, old);
}

int sigaction(int number, const struct sigaction *restrict action, struct sigaction *restrict old) {
    (void)number;
    (void)action;
    if (old) {
        __picket_memset(old, 0, sizeof *old);
    }
    return 0;
}

__sighandler_t signal(int number, __sighandler_t handler) {
    (void)number;
    (void)handler;
    return SIG_DFL;
}

unsigned alarm(unsigned seconds) {
    (void)seconds;
    return 0;
}
