// check --model sc --engine brute => violation deadlock:19
// check --model sc --engine explore => violation deadlock:19
// A thread waits for a lock inside a loop that would otherwise only wait: that is a deadlock all the same.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *keep(void *unused) {
    pthread_mutex_lock(&mutex); /* and never gives it back */
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, keep, NULL);
    pthread_join(thread, NULL);
    while (!__atomic_load_n(&done, __ATOMIC_RELAXED)) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}
