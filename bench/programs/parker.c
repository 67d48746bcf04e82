// The Parker of a Java virtual machine, after D. Dice's account of a lost wake-up in it ("A race in LockSupport park()
// arising from weak memory models", 2009). A thread that takes the permit on the quick way returns before its store has
// reached memory; a permit given meanwhile is seen as one that was there already, and then overwritten. The thread
// sleeps for ever: Picket reports a deadlock.
#include "harness.h"

#ifndef ROUNDS
#define ROUNDS 3
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static _Atomic int permits;
static _Atomic int ready;

static void park(void) {
    if (LOAD(permits) > 0) {
        STORE(permits, 0);
        FENCE_FROM_TSO();
        return;
    }
    if (pthread_mutex_trylock(&mutex) != 0) {
        return;
    }
    if (LOAD(permits) == 0) {
        pthread_cond_wait(&condition, &mutex);
    }
    STORE(permits, 0);
    pthread_mutex_unlock(&mutex);
}

static void unpark(void) {
    pthread_mutex_lock(&mutex);
    int before = LOAD(permits);
    STORE(permits, 1);
    pthread_mutex_unlock(&mutex);
    if (before == 0) {
        pthread_cond_signal(&condition);
    }
}

static void *sleeper(void *unused) {
    for (int i = 0; i < ROUNDS && !LOAD(ready); i++) {
        park();
    }
    return unused;
}

static void *waker(void *unused) {
    unpark(); /* for no reason: the sleeper has to look for itself */
    STORE(ready, 1);
    unpark();
    return unused;
}

int main(void) {
    run_pair(sleeper, waker);
    return 0;
}
