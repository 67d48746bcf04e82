// run => native
// pthread_mutex_timedlock on a mutex that another thread holds gives up.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *unused) {
    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_nsec += 1000000;
    if (soon.tv_nsec >= 1000000000) {
        soon.tv_sec++;
        soon.tv_nsec -= 1000000000;
    }
    printf("%d\n", pthread_mutex_timedlock(&lock, &soon) == ETIMEDOUT);
    return unused;
}

int main(void) {
    pthread_mutex_lock(&lock);
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    pthread_join(t, NULL);
    pthread_mutex_unlock(&lock);
    return 0;
}
