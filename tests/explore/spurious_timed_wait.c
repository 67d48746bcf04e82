// check --engine brute --collect traces --model sc --spurious => safe traces 38
// check --engine explore --model sc --spurious => safe traces 38
// check --engine explore --model tso --spurious => safe traces 38
// check --engine explore --model pso --spurious => safe traces 38
// check --engine explore --dpor source --model sc --spurious => safe traces 38
// check --engine brute --collect traces --model sc => safe assuming spurious traces 5
// check --engine explore --model sc => safe assuming spurious traces 5
// check --engine brute --collect traces --model sc --spurious -DSIGNAL => safe traces 38
// check --engine explore --model sc --spurious -DSIGNAL => safe traces 38
// check --engine brute --collect traces --model sc --spurious -DBOTH_TIMED => safe traces 68
// check --engine explore --model sc --spurious -DBOTH_TIMED => safe traces 68
// check --engine brute --collect traces --model sc --spurious -DALONE => safe traces 6
// check --engine explore --model sc --spurious -DALONE => safe traces 6
//
// A timed wait may end because it is woken, because its time is up, or without a cause; and then takes the mutex again.
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static const struct timespec now;

static void *wait(void *unused) {
    pthread_mutex_lock(&mutex);
#ifndef ALONE
#ifdef BOTH_TIMED
    pthread_cond_timedwait(&condition, &mutex, &now);
#else
    pthread_cond_wait(&condition, &mutex);
#endif
#endif
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, wait, NULL);
    pthread_mutex_lock(&mutex);
    pthread_cond_timedwait(&condition, &mutex, &now);
    pthread_mutex_unlock(&mutex);
#ifdef SIGNAL
    pthread_cond_signal(&condition);
#else
    pthread_cond_broadcast(&condition);
#endif
    return 0;
}
