// Two threads wait, and the end of the work is signalled to one of them.
// check --model sc => violation deadlock:16 because too few woken
// check --model sc -DALL => safe assuming spurious
#include <pthread.h>
#ifdef ALL
#define WAKE pthread_cond_broadcast
#else
#define WAKE pthread_cond_signal
#endif
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int closed;
static void *worker(void *unused) {
    pthread_mutex_lock(&mutex);
    while (!closed)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}
int main(void) {
    pthread_t thread[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, worker, NULL);
    pthread_mutex_lock(&mutex);
    closed = 1;
    WAKE(&changed);
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
