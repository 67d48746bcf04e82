// run => native
// Detached threads, by attribute and by call.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t done;
static int results[2];

static void *run(void *slot) {
    *(int *)slot = 7;
    sem_post(&done);
    return NULL;
}

int main(void) {
    sem_init(&done, 0, 0);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_t a, b;
    pthread_create(&a, &attributes, run, &results[0]);
    pthread_attr_destroy(&attributes);
    pthread_create(&b, NULL, run, &results[1]);
    pthread_detach(b);
    sem_wait(&done);
    sem_wait(&done);
    printf("%d %d\n", results[0], results[1]);
    return 0;
}
