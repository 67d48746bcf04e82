// The thread that waits was woken once and waits again for what nobody does: the last signal did reach it.
// check --model sc => violation deadlock:11 because nothing
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int waiting;
static void *worker(void *unused) {
    pthread_mutex_lock(&mutex);
    waiting = 1;
    for (int i = 0; i < 2; i++) {
        pthread_cond_wait(&changed, &mutex);
    }
    pthread_mutex_unlock(&mutex);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_mutex_lock(&mutex);
    if (waiting)
        pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    if (!waiting)
        return 0;
    pthread_join(thread, NULL);
    return 0;
}
