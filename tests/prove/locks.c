// prove => safe
/* Any number of threads that update a counter under a lock, for ever: every path from a store to a load waits for the
 * empty buffer. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static int last;

static void *work(void *argument) {
    (void)argument;
    for (;;) {
        pthread_mutex_lock(&lock);
        counter = counter + 1;
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        last = counter;
        pthread_mutex_unlock(&lock);
    }
}

int main(void) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, NULL, work, NULL);
    }
}
