// check -DMUTEX => violation destroy-in-use:28
// check -DMUTEX --engine brute => violation destroy-in-use:28
// check -DMUTEX --engine reach => violation destroy-in-use:28
// check -DMUTEX --engine seq => violation destroy-in-use:28
// check -DMUTEX --check no-misuse => safe
// check -DREADER => violation destroy-in-use:31
// check -DWRITER => violation destroy-in-use:34
// check -DBARRIER => violation destroy-in-use:39
// check -DBARRIER --engine brute => violation destroy-in-use:39
// check => safe
// What is held, or waited for, is destroyed.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;

static void *waits(void *unused) {
    pthread_barrier_wait(&barrier);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
#ifdef MUTEX
    pthread_mutex_lock(&mutex);
    pthread_mutex_destroy(&mutex);
#elif defined READER
    pthread_rwlock_rdlock(&rwlock);
    pthread_rwlock_destroy(&rwlock);
#elif defined WRITER
    pthread_rwlock_wrlock(&rwlock);
    pthread_rwlock_destroy(&rwlock);
#elif defined BARRIER
    pthread_create(&thread, NULL, waits, NULL);
    while (((volatile unsigned *)&barrier)[1] == 0) {
    }
    pthread_barrier_destroy(&barrier);
#else
    pthread_create(&thread, NULL, waits, NULL);
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
    pthread_barrier_destroy(&barrier);
#endif
    return 0;
}
