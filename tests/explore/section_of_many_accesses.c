// check --engine brute --model sc -DMUTEX -DN=5 => violation assertion:73
// check --engine explore --model sc -DMUTEX -DN=4 => violation assertion:73
// check --engine explore --model sc -DMUTEX -DN=5 => violation assertion:73
// check --engine explore --model tso -DMUTEX -DN=5 => violation assertion:73
// check --engine explore --model pso -DMUTEX -DN=6 => violation assertion:73
// check --engine explore --model sc -DMUTEX -DN=40 => violation assertion:73
// check --engine explore --dpor source --model sc -DMUTEX -DN=5 => violation assertion:73
// check --engine explore -j 2 --model sc -DMUTEX -DN=5 => violation assertion:73
// check --engine explore --model sc -DREAD_LOCK -DN=5 => violation assertion:73
// check --engine explore --model tso -DWRITE_LOCK -DN=7 => violation assertion:73
// check --engine explore --model sc -DSPIN_LOCK -DN=5 => violation assertion:73
// check --engine explore --model sc -DSEMAPHORE -DN=5 => violation assertion:73
// check --engine explore --model sc -DSECTION -DN=5 => violation assertion:73
// check --engine explore --model sc -DMUTEX -DN=5 -DMAIN_READS => violation assertion:73
// check --engine brute --collect traces --model sc -DMUTEX -DN=5 -DSAFE => safe traces 2 blocked 0
// check --engine explore --model sc -DMUTEX -DN=5 -DSAFE => safe traces 2 blocked 0
// check --engine explore --model tso -DREAD_LOCK -DN=9 -DSAFE => safe traces 2 blocked 0
// check --engine explore --model pso -DSEMAPHORE -DN=9 -DSAFE => safe traces 2 blocked 0
// check --engine reach --model sc -DMUTEX -DN=5 => violation assertion:73
// check --engine reach --model tso -DREAD_LOCK -DN=5 => violation assertion:73
// check --engine lazy -DMUTEX -DN=5 => violation assertion:73
// check --engine rounds --rounds 2 -DMUTEX -DN=5 => violation assertion:73
//
// An atomic section that stores to many globals, beside a thread that reads one of them with a lock held.  The section
// has nothing to do with the lock: only the read tells whether it comes before or after.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#include "picket.h"

static volatile int values[N];

#if defined MUTEX
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define LOCK() pthread_mutex_lock(&lock)
#define UNLOCK() pthread_mutex_unlock(&lock)
#elif defined READ_LOCK
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
#define LOCK() pthread_rwlock_rdlock(&lock)
#define UNLOCK() pthread_rwlock_unlock(&lock)
#elif defined WRITE_LOCK
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
#define LOCK() pthread_rwlock_wrlock(&lock)
#define UNLOCK() pthread_rwlock_unlock(&lock)
#elif defined SPIN_LOCK
static pthread_spinlock_t lock;
#define LOCK() pthread_spin_lock(&lock)
#define UNLOCK() pthread_spin_unlock(&lock)
#elif defined SEMAPHORE
static sem_t lock;
#define LOCK() sem_wait(&lock)
#define UNLOCK() sem_post(&lock)
#else
#define LOCK() picket_atomic_begin()
#define UNLOCK() picket_atomic_end()
#endif

static void *set(void *unused) {
    picket_atomic_begin();
    for (int i = 0; i < N; i++) {
        values[i] = 1;
    }
    picket_atomic_end();
    return unused;
}

static void *read(void *unused) {
    LOCK();
    int seen = values[N / 2];
    UNLOCK();
#ifndef SAFE
    assert(seen == 1);
#endif
    (void)seen;
    return unused;
}

int main(void) {
    pthread_t thread;
#ifdef SEMAPHORE
    sem_init(&lock, 0, 1);
#endif
#ifdef MAIN_READS
    pthread_create(&thread, NULL, set, NULL);
    read(NULL);
#else
    pthread_create(&thread, NULL, read, NULL);
    set(NULL);
#endif
    return 0;
}
