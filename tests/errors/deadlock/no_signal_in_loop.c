// check --model sc --engine brute => violation deadlock:23
// check --model sc --engine explore => violation deadlock:23
// check --model tso --engine reach => violation deadlock:23
// check --model tso --engine seq => violation deadlock:23
// A thread sleeps in a loop that tests a flag, and no thread signals: it waits at the condition, not in the loop.
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready, value;

static void *producer(void *unused) {
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, producer, NULL);
    pthread_mutex_lock(&lock);
    while (!ready) {
        pthread_cond_wait(&changed, &lock);
    }
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
