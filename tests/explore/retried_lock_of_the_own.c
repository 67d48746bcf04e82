// check --engine brute --model sc -DWRITE => safe traces 0
// check --engine brute --model sc -DTYPE=PTHREAD_MUTEX_ERRORCHECK => safe traces 0
// check --engine brute --model sc -DTYPE=PTHREAD_MUTEX_RECURSIVE => safe traces 1
// check --engine explore --model sc --timeout 5 -DWRITE => safe traces 0 blocked 1
// check --engine explore --model tso --timeout 5 -DWRITE => safe traces 0 blocked 1
// check --engine explore --model sc --timeout 5 -DREAD_OF_WRITTEN => safe traces 0 blocked 1
// check --engine explore --model sc --timeout 5 -DWRITE_OF_READ => safe traces 0 blocked 1
// check --engine explore --model sc --timeout 5 -DREAD_OF_READ => safe traces 1 blocked 0
// check --engine explore --model sc --timeout 5 -DTYPE=PTHREAD_MUTEX_ERRORCHECK => safe traces 0 blocked 1
// check --engine explore --model pso --timeout 5 -DTYPE=PTHREAD_MUTEX_ERRORCHECK => safe traces 0 blocked 1
// check --engine explore --model sc --timeout 5 -DTYPE=PTHREAD_MUTEX_NORMAL => safe traces 0 blocked 1
// check --engine explore --model sc --timeout 5 -DTYPE=PTHREAD_MUTEX_RECURSIVE => safe traces 1 blocked 0
// check --engine reach --model sc --timeout 5 -DWRITE => safe
// check --engine reach --model sc --timeout 5 -DTYPE=PTHREAD_MUTEX_ERRORCHECK => safe
// check --engine reach --model tso --timeout 5 -DREAD_OF_WRITTEN => safe
// check --engine lazy --timeout 5 -DWRITE => safe
// check --engine lazy --timeout 5 -DTYPE=PTHREAD_MUTEX_ERRORCHECK => safe
// check --engine rounds --rounds 2 --timeout 5 -DWRITE => safe
//
// A thread retries to lock what it holds itself.  It waits, as for a lock of another thread; unless the lock is one
// that its owner may take again.
#define _GNU_SOURCE
#include <pthread.h>

static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;

#ifdef TYPE
static pthread_mutex_t mutex;

static void wait_for_mutex(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, TYPE);
    pthread_mutex_init(&mutex, &attributes);
    pthread_mutex_lock(&mutex);
    while (pthread_mutex_trylock(&mutex)) {
    }
}
#endif

int main(void) {
#if defined WRITE
    pthread_rwlock_wrlock(&rwlock);
    while (pthread_rwlock_trywrlock(&rwlock)) {
    }
#elif defined READ_OF_WRITTEN
    pthread_rwlock_wrlock(&rwlock);
    while (pthread_rwlock_tryrdlock(&rwlock)) {
    }
#elif defined WRITE_OF_READ
    pthread_rwlock_rdlock(&rwlock);
    while (pthread_rwlock_trywrlock(&rwlock)) {
    }
#elif defined READ_OF_READ
    pthread_rwlock_rdlock(&rwlock);
    while (pthread_rwlock_tryrdlock(&rwlock)) {
    }
#else
    wait_for_mutex();
#endif
    return 0;
}
