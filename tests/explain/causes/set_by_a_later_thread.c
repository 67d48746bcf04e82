// check --model sc => violation assertion:14 because value read before it was set up
// check --model sc -DLATER_STILL => violation assertion:14 because value read before it was set up
// The thread that would have set the value is created after the error, by main or by a thread that is too.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic ready[2];

static void *worker(void *argument) {
    int *number = argument;
    atomic_store(&ready[*number], malloc(1));
    assert(atomic_load(&ready[1 - *number]) != NULL); // here
    return NULL;
}

#ifdef LATER_STILL
static void *starter(void *argument) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, argument);
    pthread_join(thread, NULL);
    return NULL;
}
#else
#define starter worker
#endif

int main(void) {
    static int numbers[2] = {0, 1};
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, worker, &numbers[0]);
    pthread_create(&threads[1], NULL, starter, &numbers[1]);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
}
