// check --engine brute --collect traces --model sc => safe traces 5
// check --engine explore --model sc => safe traces 5
// check --engine brute --collect traces --model sc -DUNLOCK_ONLY => safe traces 6
// check --engine explore --model sc -DUNLOCK_ONLY => safe traces 6
// check --engine brute --collect traces --model sc -DUNLOCK_ONLY -DKEPT => safe traces 5
// check --engine explore --model sc -DUNLOCK_ONLY -DKEPT => safe traces 5
// check --engine explore --model tso -DUNLOCK_ONLY -DKEPT => safe traces 5
// check --engine explore --model pso -DUNLOCK_ONLY -DKEPT => safe traces 5
// check --engine explore --dpor source --model sc -DUNLOCK_ONLY -DKEPT => safe traces 5
// check --engine explore -j 2 --model sc -DUNLOCK_ONLY -DKEPT => safe traces 5
// check --engine brute --collect traces --model sc -DKEPT => safe traces 4
// check --engine explore --model sc -DKEPT => safe traces 4
// check --engine brute --collect traces --model sc -DUNLOCK_ONLY -DKEPT -DTRY => safe traces 3
// check --engine explore --model sc -DUNLOCK_ONLY -DKEPT -DTRY => safe traces 3
// check --engine brute --collect traces --model sc -DUNLOCK_ONLY -DTWO_READERS => safe traces 18
// check --engine explore --model sc -DUNLOCK_ONLY -DTWO_READERS => safe traces 18
// check --engine brute --collect traces --model sc -DTRY => safe traces 3
// check --engine explore --model sc -DTRY => safe traces 3
// check --engine brute --collect traces --model sc -DREADER => safe traces 2
// check --engine explore --model sc -DREADER => safe traces 2
// check --engine brute --collect traces --model sc -DTWO_READERS => safe traces 13
// check --engine explore --model sc -DTWO_READERS => safe traces 13
//
// A reader that unlocks in an atomic section, or also locks there, beside a writer that may give up.
#include <pthread.h>
#include <time.h>

#include "picket.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static const struct timespec now;

static void *read(void *unused) {
#ifdef UNLOCK_ONLY
    if (!pthread_rwlock_tryrdlock(&lock)) {
        picket_atomic_begin();
        pthread_rwlock_unlock(&lock);
        picket_atomic_end();
    }
#else
    picket_atomic_begin();
    if (!pthread_rwlock_tryrdlock(&lock)) {
        pthread_rwlock_unlock(&lock);
    }
    picket_atomic_end();
#endif
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, read, NULL);
#ifdef TWO_READERS
    pthread_create(&threads[1], NULL, read, NULL);
#endif
#if defined TRY
    if (!pthread_rwlock_trywrlock(&lock)) {
#elif defined READER
    if (!pthread_rwlock_timedrdlock(&lock, &now)) {
#else
    if (!pthread_rwlock_timedwrlock(&lock, &now)) {
#endif
#ifndef KEPT
        pthread_rwlock_unlock(&lock);
#endif
    }
    return 0;
}
