// A signal wakes one of two threads that wait, and the execution found says which.
//
// check --engine rounds -DWOKEN=1 => violation assertion:50
// check --engine rounds -DWOKEN=2 => violation assertion:50
// check --engine rounds => safe assuming spurious
// check --engine rounds --spurious => violation assertion:50
// check --engine rounds -DWAKE=pthread_cond_broadcast => violation assertion:50
// check --engine age -DWOKEN=1 => violation assertion:50
// check --engine age -DWOKEN=2 => violation assertion:50
// check --engine age => safe assuming spurious
// check --engine age --spurious => violation assertion:50
// check --engine age -DWAKE=pthread_cond_broadcast => violation assertion:50
// check --engine brute => safe assuming spurious
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef WAKE
#define WAKE pthread_cond_signal
#endif
#ifndef WOKEN
#define WOKEN 3
#endif

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int waiting, woken, second_number;

static void *wait(void *second) {
    pthread_mutex_lock(&mutex);
    waiting++;
    pthread_cond_wait(&condition, &mutex);
    woken += second ? 2 : 1;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, wait, NULL);
    pthread_create(&second, NULL, wait, &second_number);
    pthread_mutex_lock(&mutex);
    int all = waiting == 2;
    pthread_mutex_unlock(&mutex);
    if (!all) {
        exit(0);
    }
    WAKE(&condition);
    pthread_mutex_lock(&mutex);
    assert(woken != WOKEN);
    pthread_mutex_unlock(&mutex);
    exit(0);
}
