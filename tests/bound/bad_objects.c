// Waiting where no thread can end it, and objects that are not there: the same errors as on the machine.
//
// check --engine rounds -DSECTION => violation blocked-in-atomic
// check --engine age -DSECTION => violation blocked-in-atomic
// check --engine brute -DSECTION => violation blocked-in-atomic
// check --engine rounds -DSLEEPS => violation blocked-in-atomic
// check --engine age -DSLEEPS => violation blocked-in-atomic
// check --engine brute -DSLEEPS => violation blocked-in-atomic
// check --engine rounds -DFREED => violation dangling-pointer
// check --engine age -DFREED => violation dangling-pointer
// check --engine brute -DFREED => violation dangling-pointer
// check --engine rounds -DSMALL => violation out-of-bounds
// check --engine age -DSMALL => violation out-of-bounds
// check --engine brute -DSMALL => violation out-of-bounds
// check --engine rounds -DCONSTANT => violation write-to-constant
// check --engine age -DCONSTANT => violation write-to-constant
// check --engine brute -DCONSTANT => violation write-to-constant
// check --engine rounds -DNOT_HELD => violation unlock-not-owner
// check --engine age -DNOT_HELD => violation unlock-not-owner
// check --engine brute -DNOT_HELD => violation unlock-not-owner
// check --engine rounds -DUNLOCKS => violation unlock-not-owner
// check --engine age -DUNLOCKS => violation unlock-not-owner
// check --engine brute -DUNLOCKS => violation unlock-not-owner
#include <picket.h>
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
const pthread_mutex_t constant = {.__data.__lock = 7};
int *small;

static void *run(void *mutex_of_heap) {
#if defined SECTION
    picket_atomic_begin();
    pthread_mutex_lock(&mutex);
    picket_atomic_end();
#elif defined SLEEPS
    pthread_mutex_lock(&mutex);
    picket_atomic_begin();
    pthread_cond_wait(&condition, &mutex);
    picket_atomic_end();
#elif defined FREED
    pthread_mutex_lock(mutex_of_heap);
#elif defined SMALL
    pthread_mutex_lock((pthread_mutex_t *)small);
#elif defined CONSTANT
    pthread_mutex_lock((pthread_mutex_t *)&constant);
#elif defined UNLOCKS
    pthread_mutex_unlock(&mutex);
#else
    pthread_cond_wait(&condition, &mutex);
#endif
    return mutex_of_heap;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_t *of_heap = malloc(sizeof *of_heap);
    pthread_mutex_init(of_heap, NULL);
    small = calloc(2, sizeof *small);
    pthread_create(&thread, NULL, run, of_heap);
#ifdef SECTION
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
#endif
    free(of_heap);
    pthread_join(thread, NULL);
}
