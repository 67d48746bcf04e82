// check --model sc => violation blocked-in-atomic
// check --model tso => violation blocked-in-atomic
// check --model sc --dpor source => violation blocked-in-atomic
// check --model sc --engine brute => violation blocked-in-atomic
// check -DBEFORE --model sc => safe traces 6
// check -DBEFORE --model tso => safe traces 6
// A section that waits for a semaphore comes before the posts of two other threads, and waits for ever; unless it was
// posted before.
#include <pthread.h>
#include <semaphore.h>

#include "picket.h"

static sem_t semaphore;

static void *posts(void *argument) {
    sem_post(&semaphore);
    return argument;
}

static void *waits(void *argument) {
    picket_atomic_begin();
    sem_wait(&semaphore);
    picket_atomic_end();
    return argument;
}

int main(void) {
    pthread_t threads[3];
#ifdef BEFORE
    sem_post(&semaphore);
#endif
    pthread_create(&threads[0], NULL, posts, NULL);
    pthread_create(&threads[1], NULL, posts, NULL);
    pthread_create(&threads[2], NULL, waits, NULL);
    return 0;
}
