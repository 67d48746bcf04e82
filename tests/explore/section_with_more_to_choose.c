// check --model sc => safe traces 27
// check --model sc -j 3 => safe traces 27
// check --model sc --dpor source => safe traces 27
// check -DTIMED --model sc => safe traces 6
// check -DTIMED --model tso => safe traces 6
// check -DTIMED --model sc --dpor source => safe traces 6
// check -DTIMED --model sc -j 3 => safe traces 6
// check -DTIMED -DTWO --model sc -j 3 => safe traces 5
// An atomic section that has nothing to choose, and does once a race of it is reversed: then it goes all ways.
#include <pthread.h>
#include <time.h>

#include <picket.h>

static volatile int x;
#ifdef TIMED
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *chooses(void *argument) {
    struct timespec deadline = {.tv_sec = 1};
    picket_atomic_begin();
    pthread_mutex_timedlock(&mutex, &deadline);
    x = 2;
    picket_atomic_end();
    return argument;
}

static void *reads(void *argument) {
#ifdef TWO
    struct timespec deadline = {.tv_sec = 1};
    pthread_mutex_timedlock(&mutex, &deadline);
#else
    pthread_mutex_trylock(&mutex);
#endif
    return argument;
}

static void *stores(void *argument) {
#ifndef TWO
    static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    pthread_rwlock_rdlock(&lock);
    x = 1;
#endif
    return argument;
}
#else
static void *chooses(void *argument) {
    picket_atomic_begin();
    if (x & 1) {
        (void)picket_nondet_int(0, 1);
    }
    picket_atomic_end();
    return argument;
}

static void *reads(void *argument) {
    int seen = x;
    (void)seen;
    return argument;
}

static void *stores(void *argument) {
    x = 1;
    x = 1 + picket_nondet_int(0, 1);
    return argument;
}
#endif

int main(void) {
    pthread_t threads[3];
#ifdef TIMED
    pthread_create(&threads[1], NULL, reads, NULL);
    pthread_create(&threads[0], NULL, chooses, NULL);
#else
    pthread_create(&threads[0], NULL, chooses, NULL);
    pthread_create(&threads[1], NULL, reads, NULL);
#endif
    pthread_create(&threads[2], NULL, stores, NULL);
    return 0;
}
