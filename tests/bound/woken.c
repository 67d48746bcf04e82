// What a wait returns, and what ends it: a signal, the time, the last one to arrive at a barrier.
//
// check --engine rounds -DTIMED -DRETURNS=0 => violation assertion:42
// check --engine rounds -DTIMED -DRETURNS=ETIMEDOUT => violation assertion:42
// check --engine rounds -DTIMED => safe assuming spurious
// check --engine rounds -DRETURNS=0 => violation assertion:42
// check --engine rounds -DRETURNS=PTHREAD_BARRIER_SERIAL_THREAD => violation assertion:42
// check --engine rounds => safe
// check --engine age -DTIMED -DRETURNS=0 => violation assertion:42
// check --engine age -DTIMED -DRETURNS=ETIMEDOUT => violation assertion:42
// check --engine age -DTIMED => safe assuming spurious
// check --engine age -DRETURNS=0 => violation assertion:42
// check --engine age -DRETURNS=PTHREAD_BARRIER_SERIAL_THREAD => violation assertion:42
// check --engine age => safe
#include <assert.h>
#include <errno.h>
#include <pthread.h>

#ifndef RETURNS
#define RETURNS EINVAL
#endif

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
pthread_barrier_t barrier;
int set;

static int wait(void) {
#ifdef TIMED
    struct timespec now = {0, 0};
    pthread_mutex_lock(&mutex);
    int code = pthread_cond_timedwait(&condition, &mutex, &now);
    pthread_mutex_unlock(&mutex);
    return code;
#else
    return pthread_barrier_wait(&barrier);
#endif
}

static void *run(void *unused) {
    int code = wait();
    assert(!set || code != RETURNS);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, run, NULL);
    pthread_mutex_lock(&mutex);
    set = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
#ifndef TIMED
    pthread_barrier_wait(&barrier);
#endif
    pthread_join(thread, NULL);
}
