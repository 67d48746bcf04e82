// run => native
// A broadcast releases all waiters; a timed wait without a signal times out.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t go = PTHREAD_COND_INITIALIZER, never = PTHREAD_COND_INITIALIZER;
static int ready, started, passed;

static void *run(void *unused) {
    pthread_mutex_lock(&lock);
    ready++;
    while (!started)
        pthread_cond_wait(&go, &lock);
    passed++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, run, NULL);
    pthread_mutex_lock(&lock);
    started = 1;
    pthread_cond_broadcast(&go);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("%d %d\n", ready, passed);
    struct timespec past = {1, 0};
    pthread_mutex_lock(&lock);
    printf("%d\n", pthread_cond_timedwait(&never, &lock, &past) == ETIMEDOUT);
    pthread_mutex_unlock(&lock);
    return 0;
}
