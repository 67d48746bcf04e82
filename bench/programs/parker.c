// The Parker of a Java virtual machine, after D. Dice's account of a lost wake-up in it ("A race in LockSupport park()
// arising from weak memory models", 2009). A thread that takes the permit on the quick way returns before its store has
// reached memory; a permit given meanwhile is seen as one that was there already, and then overwritten. The thread
// sleeps for ever: Picket reports a deadlock. With WATCHED the sleeper waits on a flag, and main, once the waker has
// ended, asserts that no thread waits unsignalled: the same error for tools that check assertions alone.
#include "harness.h"

#ifndef ROUNDS
#define ROUNDS 3
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
#ifndef WATCHED
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
#endif
static _Atomic int permits;
static _Atomic int ready;

#ifdef WATCHED
static _Atomic int waiting;
static _Atomic int signalled;

static void fall_asleep(void) {
    STORE(waiting, 1);
    pthread_mutex_unlock(&mutex);
    while (!LOAD(signalled)) {
    }
    pthread_mutex_lock(&mutex);
    STORE(waiting, 0);
    STORE(signalled, 0);
}

static void wake_sleeper(void) {
    pthread_mutex_lock(&mutex);
    if (LOAD(waiting)) {
        STORE(signalled, 1);
    }
    pthread_mutex_unlock(&mutex);
}
#else
static void fall_asleep(void) {
    pthread_cond_wait(&condition, &mutex);
}

static void wake_sleeper(void) {
    pthread_cond_signal(&condition);
}
#endif

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
        fall_asleep();
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
        wake_sleeper();
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
#ifdef WATCHED
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, waker, NULL);
    pthread_create(&threads[1], NULL, sleeper, NULL);
    pthread_join(threads[0], NULL);
    pthread_mutex_lock(&mutex);
    assert(!LOAD(waiting) || LOAD(signalled));
    pthread_mutex_unlock(&mutex);
#else
    run_pair(sleeper, waker);
#endif
    return 0;
}
