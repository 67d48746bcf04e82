// check --model sc --engine explore => violation deadlock
// check --model sc --engine reach => violation deadlock
// check --model tso --engine seq => violation deadlock
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int full;

static void *consumer(void *unused) {
    pthread_mutex_lock(&lock);
    while (!full) {
        pthread_cond_wait(&ready, &lock);
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, consumer, NULL);
    pthread_mutex_lock(&lock);
    full = 1;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
}
