// The condition is tested outside of the mutex, and a broadcast comes in between.
// check --model sc => violation deadlock:13 because signal before its wait
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int full;
static void *consumer(void *unused) {
    (void)unused;
    if (!__atomic_load_n(&full, __ATOMIC_SEQ_CST)) {
        pthread_mutex_lock(&mutex);
        pthread_cond_wait(&ready, &mutex);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, consumer, NULL);
    __atomic_store_n(&full, 1, __ATOMIC_SEQ_CST);
    pthread_cond_broadcast(&ready);
    pthread_join(thread, NULL);
    return 0;
}
