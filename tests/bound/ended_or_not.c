// A thread that has done its last store has not ended yet: others can look in between.
//
// check --engine rounds => violation blocked-in-atomic:47
// check --engine age => violation blocked-in-atomic:47
// check --engine rounds -DEXITS => violation blocked-in-atomic:47
// check --engine age -DEXITS => violation blocked-in-atomic:47
// check --engine rounds -DTRIES => violation assertion:44
// check --engine age -DTRIES => violation assertion:44
// check --engine rounds -DTRIES -DEXITS => violation assertion:44
// check --engine age -DTRIES -DEXITS => violation assertion:44
// check --engine rounds -DLOCAL -DEXITS => violation dangling-pointer:42
// check --engine age -DLOCAL -DEXITS => violation dangling-pointer:42
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

#include "picket.h"

int stored;
pthread_mutex_t *lent;

static void *stores(void *argument) {
#ifdef LOCAL
    pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
#else
    static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
#endif
    __atomic_store_n(&lent, &own, __ATOMIC_SEQ_CST);
    __atomic_store_n(&stored, 1, __ATOMIC_SEQ_CST);
#ifdef EXITS
    pthread_exit(argument);
#endif
    return argument;
}

static void looks(pthread_t thread) {
#ifdef LOCAL
    /* The local ends with the thread: after this look at it. */
    int result = pthread_tryjoin_np(thread, NULL);
    picket_assume(result == EBUSY);
    pthread_mutex_lock(lent);
#elif defined TRIES
    assert(pthread_tryjoin_np(thread, NULL) != EBUSY);
#else
    picket_atomic_begin();
    pthread_join(thread, NULL);
    picket_atomic_end();
#endif
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, stores, NULL);
    picket_assume(__atomic_load_n(&stored, __ATOMIC_SEQ_CST) == 1);
    looks(thread);
    return 0;
}
