// check --engine brute --model sc -DREAD_LOCK => violation assertion:81
// check --engine explore --model sc -DREAD_LOCK => violation assertion:81
// check --engine explore --model tso -DREAD_LOCK => violation assertion:81
// check --engine explore --model pso -DREAD_LOCK => violation assertion:81
// check --engine explore --dpor source --model sc -DREAD_LOCK => violation assertion:81
// check --engine reach --model sc -DREAD_LOCK => violation assertion:81
// check --engine reach --model tso -DREAD_LOCK => violation assertion:81
// check --engine lazy -DREAD_LOCK => violation assertion:81
// check --engine rounds --rounds 2 -DREAD_LOCK => violation assertion:81
// check --engine brute --model sc -DREAD_TRYLOCK => violation assertion:81
// check --engine explore --model sc -DREAD_TRYLOCK => violation assertion:81
// check --engine brute --model sc -DREAD_TIMEDLOCK => violation assertion:81
// check --engine explore --model tso -DREAD_TIMEDLOCK => violation assertion:81
// check --engine brute --model sc -DREAD_UNLOCK => violation assertion:81
// check --engine explore --model sc -DREAD_UNLOCK => violation assertion:81
// check --engine brute --model sc -DMUTEX => violation assertion:81
// check --engine explore --model sc -DMUTEX => violation assertion:81
// check --engine brute --model sc -DBARRIER => violation assertion:81
// check --engine explore --model sc -DBARRIER => violation assertion:81
// check --engine brute --model sc -DSTORED_READER => violation assertion:81
// check --engine explore --model sc -DSTORED_READER => violation assertion:81
// check --engine explore --model pso -DSTORED_READER => violation assertion:81
// check --engine reach --model sc -DSTORED_READER => violation assertion:81
// check --engine brute --model sc -DSTORED_OWNER => violation assertion:81
// check --engine explore --model sc -DSTORED_OWNER => violation assertion:81
//
// Operations on locks are reads and writes of their words, also for a thread that accesses these words directly.
#include <assert.h>
#include <pthread.h>
#include <time.h>

static const struct timespec now;

#if defined MUTEX
static pthread_mutex_t object = PTHREAD_MUTEX_INITIALIZER;
#elif defined BARRIER
static pthread_barrier_t object;
#else
static pthread_rwlock_t object = PTHREAD_RWLOCK_INITIALIZER;
#endif

#define WORD(index) (((volatile int *)&object)[index])

static void *operate(void *unused) {
#if defined READ_LOCK
    pthread_rwlock_rdlock(&object);
#elif defined READ_TRYLOCK
    pthread_rwlock_tryrdlock(&object);
#elif defined READ_TIMEDLOCK
    pthread_rwlock_timedrdlock(&object, &now);
#elif defined READ_UNLOCK
    pthread_rwlock_rdlock(&object);
    pthread_rwlock_unlock(&object);
#elif defined MUTEX
    pthread_mutex_lock(&object);
#elif defined BARRIER
    pthread_barrier_wait(&object);
#elif defined STORED_READER
    WORD(1) = 1;
#else
    WORD(0) = 1;
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
#ifdef BARRIER
    pthread_barrier_init(&object, NULL, 2);
#endif
    pthread_create(&thread, NULL, operate, NULL);
#if defined STORED_READER
    int seen = pthread_rwlock_trywrlock(&object) != 0;
#elif defined STORED_OWNER
    int seen = pthread_rwlock_tryrdlock(&object) != 0;
#elif defined MUTEX
    int seen = WORD(0);
#else
    int seen = WORD(1);
#endif
    assert(!seen);
    return 0;
}
