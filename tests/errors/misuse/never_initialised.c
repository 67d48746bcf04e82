// check --check uninit -DMUTEX => violation uninitialised:32
// check --check uninit -DMUTEX --engine brute => violation uninitialised:32
// check --check uninit -DMUTEX --engine reach => violation uninitialised:32
// check --check uninit -DMUTEX --engine random => violation uninitialised:32
// check --check uninit -DMUTEX --model pso => violation uninitialised:32
// check --check uninit -DMUTEX -DHEAP => violation uninitialised:32
// check --check uninit -DCONDITION => violation uninitialised:34
// check --check uninit -DCONDITION -DHEAP => violation uninitialised:34
// check --check uninit -DREAD => violation uninitialised:36
// check --check uninit -DWRITE -DHEAP => violation uninitialised:38
// check --check uninit -DPOST => violation uninitialised:40
// check --check uninit -DSPIN => violation uninitialised:42
// check --check uninit -DBARRIER -DHEAP => violation uninitialised:44
// check --check uninit -DINITIALISED => safe
// check --check uninit -DINITIALISED -DHEAP => safe assuming malloc
// Operations on locks of the heap and of the stack that were never initialised.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct all {
    pthread_mutex_t mutex;
    pthread_cond_t condition;
    pthread_rwlock_t rwlock;
    sem_t semaphore;
    pthread_spinlock_t spin;
    pthread_barrier_t barrier;
};

static void use(struct all *all) {
#if defined MUTEX || defined INITIALISED
    pthread_mutex_lock(&all->mutex);
#elif defined CONDITION
    pthread_cond_signal(&all->condition);
#elif defined READ
    pthread_rwlock_rdlock(&all->rwlock);
#elif defined WRITE
    pthread_rwlock_wrlock(&all->rwlock);
#elif defined POST
    sem_post(&all->semaphore);
#elif defined SPIN
    pthread_spin_lock(&all->spin);
#elif defined BARRIER
    pthread_barrier_wait(&all->barrier);
#endif
#ifdef INITIALISED
    pthread_mutex_unlock(&all->mutex);
    pthread_cond_signal(&all->condition);
    pthread_rwlock_rdlock(&all->rwlock);
    pthread_rwlock_unlock(&all->rwlock);
    sem_post(&all->semaphore);
    pthread_spin_lock(&all->spin);
    pthread_spin_unlock(&all->spin);
    pthread_barrier_wait(&all->barrier);
#endif
}

int main(void) {
#ifdef HEAP
    struct all *all = malloc(sizeof *all);
#else
    struct all local;
    struct all *all = &local;
#endif
#ifdef INITIALISED
    all->mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_init(&all->condition, NULL);
    pthread_rwlock_init(&all->rwlock, NULL);
    sem_init(&all->semaphore, 0, 0);
    pthread_spin_init(&all->spin, 0);
    pthread_barrier_init(&all->barrier, NULL, 1);
#endif
    use(all);
#ifdef HEAP
    free(all);
#endif
    return 0;
}
