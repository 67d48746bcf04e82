// check --engine seq --model sc => violation deadlock:21
// check --engine seq --model tso => violation deadlock:21
// check --engine seq --model pso => violation deadlock:21
// check --engine seq --model tso --check liveness => violation deadlock:21
// check --engine seq --model tso -DUNJOINED => safe
// check --engine seq --model tso -DUNJOINED --check liveness => safe
// check --engine seq --model sc -DLOCK => violation deadlock
// check --engine seq --model pso -DLOCK => violation deadlock
// check --engine explore --model tso => violation deadlock:21
// A join of a thread that never ends: a deadlock, and what follows is not reached.
#include <assert.h>
#include <pthread.h>

static volatile int never;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *other(void *unused) {
#ifdef LOCK
    pthread_mutex_lock(&lock);
#else
    while (!never) {
    }
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&lock);
    pthread_create(&thread, NULL, other, NULL);
#ifndef UNJOINED
    pthread_join(thread, NULL);
    assert(0);
#endif
}
