// check --engine explore => safe assuming signals
// check --engine explore -DEMPTY => safe
// check --engine reach => safe assuming signals
// check --engine seq => safe assuming signals
/* A new thread inherits the mask of signals in POSIX; here it begins with an empty one, and the verdict says so. */
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static void *looks(void *unused) {
    sigset_t mask;
    pthread_sigmask(SIG_BLOCK, NULL, &mask);
    return unused;
}

int main(void) {
    pthread_t thread;
    sigset_t mask;
    sigemptyset(&mask);
#ifndef EMPTY
    sigaddset(&mask, SIGINT);
#endif
    pthread_sigmask(SIG_BLOCK, &mask, NULL);
    pthread_create(&thread, NULL, looks, NULL);
    pthread_join(thread, NULL);
    return 0;
}
