// Three philosophers.
// check --model sc => violation deadlock:10 because cycle of locks
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t forks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static void *eat(void *number) {
    long left = (long)number;
    pthread_mutex_lock(&forks[left]);
    pthread_mutex_lock(&forks[(left + 1) % 3]);
    pthread_mutex_unlock(&forks[(left + 1) % 3]);
    pthread_mutex_unlock(&forks[left]);
    return NULL;
}
int main(void) {
    pthread_t threads[3];
    for (long i = 0; i < 3; i++) {
        pthread_create(&threads[i], NULL, eat, (void *)i);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
    return 0;
}
