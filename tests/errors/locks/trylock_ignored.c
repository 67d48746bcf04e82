// check --model sc --engine brute => violation unlock-not-owner:14
// check --model sc --engine brute -DCHECKED => safe
// The result of trylock is ignored.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *unused) {
    int busy = pthread_mutex_trylock(&lock);
#ifndef CHECKED
    busy = 0;
#endif
    if (!busy)
        pthread_mutex_unlock(&lock); // here
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, run, NULL);
    pthread_create(&b, NULL, run, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
