// check --engine brute --model sc => violation assertion
// check --engine explore --model sc => violation assertion
// check --engine explore --model tso => violation assertion
// check --engine explore --model pso => violation assertion
//
// Main makes the mutex recursive before the thread has locked it, or after the thread has tried to lock it again.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *locker(void *unused) {
    pthread_mutex_lock(&lock);
    assert(pthread_mutex_trylock(&lock) == 0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, locker, NULL);
    ((volatile int *)&lock)[4] = PTHREAD_MUTEX_RECURSIVE;
    return 0;
}
