// check --engine brute --model sc -DKIND => violation assertion:47
// check --engine explore --model sc -DKIND => violation assertion:47
// check --engine explore --model tso -DKIND => violation assertion:47
// check --engine reach --model sc -DKIND => violation assertion:47
// check --engine lazy -DKIND => violation assertion:47
// check --engine rounds --rounds 2 -DKIND => violation assertion:47
// check --engine brute --model sc -DWAIT => violation assertion:67
// check --engine explore --model sc -DWAIT => violation assertion:67
// check --engine explore --model pso -DWAIT => violation assertion:67
// check --engine reach --model sc -DWAIT => violation assertion:67
// check --engine lazy -DWAIT => violation assertion:67
// check --engine rounds --rounds 3 -DWAIT => violation assertion:67
// check --engine brute --model sc -DRETAKE => violation assertion:72
// check --engine explore --model sc -DRETAKE => violation assertion:72
// check --engine explore --model tso -DRETAKE => violation assertion:72
// check --engine reach --model sc -DRETAKE => violation assertion:72
// check --engine brute --model sc -DUNLOCK => violation unlock-not-owner:49
// check --engine explore --model sc -DUNLOCK => violation unlock-not-owner:49
// check --engine reach --model sc -DUNLOCK => violation unlock-not-owner:49
//
// A program that accesses the words of a mutex: its owner, its depth and its kind, beside operations that depend on
// them or change them.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

#define OWNER 0
#define DEPTH 1
#define KIND_WORD 4

#ifdef UNLOCK
static pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
#else
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
#endif
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static const struct timespec now;

#define WORD(index) (((volatile int *)&mutex)[index])

static void *operate(void *unused) {
#if defined KIND
    pthread_mutex_lock(&mutex);
    int code = pthread_mutex_timedlock(&mutex, &now);
    assert(code != EDEADLK);
#elif defined UNLOCK
    pthread_mutex_unlock(&mutex);
#else
    pthread_mutex_lock(&mutex);
    pthread_cond_timedwait(&condition, &mutex, &now);
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, operate, NULL);
#if defined KIND
    WORD(KIND_WORD) = PTHREAD_MUTEX_ERRORCHECK;
#elif defined UNLOCK
    WORD(KIND_WORD) = PTHREAD_MUTEX_NORMAL;
#elif defined WAIT
    int before = WORD(DEPTH);
    int after = WORD(DEPTH);
    assert(before <= after);
#else
    int first = WORD(OWNER);
    int second = WORD(OWNER);
    int third = WORD(OWNER);
    assert(!first || second || !third);
#endif
    return 0;
}
