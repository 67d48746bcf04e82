// A wait for a signal that is never sent.
// check --model sc => violation deadlock:10 because nothing
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
int main(void) {
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&ready, &mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}
