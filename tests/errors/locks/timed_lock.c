// check --model sc --engine brute => violation assertion:20
// A timed operation may time out at any moment.
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t t;
    struct timespec later = {2000000000, 0};
    pthread_create(&t, NULL, run, NULL);
    int code = pthread_mutex_timedlock(&lock, &later);
    assert(code == 0); // here
    return 0;
}
