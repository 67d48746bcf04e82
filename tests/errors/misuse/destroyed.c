// check -DMUTEX => violation use-after-destroy:42
// check -DMUTEX --engine brute => violation use-after-destroy:42
// check -DMUTEX --engine reach => violation use-after-destroy:42
// check -DMUTEX --engine seq => violation use-after-destroy:42
// check -DMUTEX --engine rounds => violation use-after-destroy:42
// check -DMUTEX --engine lazy => violation use-after-destroy:42
// check -DMUTEX --check no-misuse => safe
// check -DTRYLOCK => violation use-after-destroy:45
// check -DUNLOCK => violation use-after-destroy:49
// check -DSIGNAL => violation use-after-destroy:53
// check -DBROADCAST => violation use-after-destroy:57
// check -DREAD => violation use-after-destroy:61
// check -DWRITE => violation use-after-destroy:65
// check -DSPIN => violation use-after-destroy:70
// check -DPOST => violation use-after-destroy:76
// check -DWAIT => violation use-after-destroy:82
// check -DBARRIER => violation use-after-destroy:87
// check -DTWICE => violation use-after-destroy:90
// check -DC11 => violation use-after-destroy:96
// check -DAGAIN => safe
// Operations on what was destroyed, each found where it is made; a new initialisation makes the object new.
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t semaphore;
static pthread_barrier_t barrier;
static mtx_t mtx;

int main(void) {
    pthread_mutex_destroy(&mutex);
    pthread_cond_destroy(&condition);
    pthread_rwlock_destroy(&rwlock);
    pthread_spin_destroy(&spin);
#ifdef MUTEX
    /* The line that the report names is the next. */
    pthread_mutex_lock(&mutex);
#endif
#ifdef TRYLOCK
    pthread_mutex_trylock(&mutex);
#endif

#ifdef UNLOCK
    pthread_mutex_unlock(&mutex);
#endif

#ifdef SIGNAL
    pthread_cond_signal(&condition);
#endif

#ifdef BROADCAST
    pthread_cond_broadcast(&condition);
#endif

#ifdef READ
    pthread_rwlock_rdlock(&rwlock);
#endif

#ifdef WRITE
    pthread_rwlock_wrlock(&rwlock);
#endif

#ifdef SPIN

    pthread_spin_lock(&spin);
#endif

#ifdef POST
    sem_init(&semaphore, 0, 1);
    sem_destroy(&semaphore);
    sem_post(&semaphore);
#endif

#ifdef WAIT
    sem_init(&semaphore, 0, 1);
    sem_destroy(&semaphore);
    sem_wait(&semaphore);
#endif
#ifdef BARRIER
    pthread_barrier_init(&barrier, NULL, 1);
    pthread_barrier_destroy(&barrier);
    pthread_barrier_wait(&barrier);
#endif
#ifdef TWICE
    pthread_mutex_destroy(&mutex);
#endif

#ifdef C11
    mtx_init(&mtx, mtx_plain);
    mtx_destroy(&mtx);
    mtx_lock(&mtx);
#endif
#ifdef AGAIN
    pthread_mutex_init(&mutex, NULL);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
#endif
    return 0;
}
