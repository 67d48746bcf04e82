// check --engine brute --collect traces --model sc => safe assuming spurious traces 6
// check --engine explore --model sc => safe assuming spurious traces 6
// check --engine explore --model tso => safe assuming spurious traces 6
// check --engine explore --model pso => safe assuming spurious traces 6
// check --engine explore --dpor source --model sc => safe assuming spurious traces 6
// check --engine explore -j 2 --model sc => safe assuming spurious traces 6
// check --engine brute --collect traces --model sc -DUNLOCK => safe assuming spurious traces 8
// check --engine explore --model sc -DUNLOCK => safe assuming spurious traces 8
// check --engine brute --collect traces --model sc -DLOCK => safe assuming spurious traces 3
// check --engine explore --model sc -DLOCK => safe assuming spurious traces 3
// check --engine brute --collect traces --model sc -DTRYLOCK => safe assuming spurious traces 4
// check --engine explore --model sc -DTRYLOCK => safe assuming spurious traces 4
// check --engine brute --collect traces --model sc -DTWICE -DUNLOCK => safe assuming spurious traces 11
// check --engine explore --model sc -DTWICE -DUNLOCK => safe assuming spurious traces 11
// check --engine explore --model tso -DTWICE -DUNLOCK => safe assuming spurious traces 11
//
// A wait whose time is up takes its mutex again, though it returns an error: its end is ordered with every other
// operation on the mutex.
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static const struct timespec now;

static void *lock(void *unused) {
#if defined LOCK
    if (!pthread_mutex_lock(&mutex)) {
#elif defined TRYLOCK
    if (!pthread_mutex_trylock(&mutex)) {
#else
    if (!pthread_mutex_timedlock(&mutex, &now)) {
#endif
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, lock, NULL);
    pthread_mutex_lock(&mutex);
    pthread_cond_timedwait(&condition, &mutex, &now);
#ifdef TWICE
    pthread_cond_timedwait(&condition, &mutex, &now);
#endif
#if defined UNLOCK || defined LOCK
    pthread_mutex_unlock(&mutex);
#endif
    pthread_join(thread, NULL);
    return 0;
}
