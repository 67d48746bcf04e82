// check --engine explore => violation destroy-in-use:38
// check --engine brute => violation destroy-in-use:38
// check --engine reach => violation destroy-in-use:38
// check --engine seq => violation destroy-in-use:38
// check --engine rounds => violation destroy-in-use:38
// check --engine explore -DWOKEN => safe assuming spurious
// check --engine brute -DWOKEN => safe assuming spurious
// check --engine seq -DWOKEN => safe assuming spurious
// check --engine explore -DWOKEN -DONE => safe assuming spurious
// A condition variable is destroyed at which a thread waits; once that was woken, it may be, though the thread has not
// gone on yet.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int waiting;

static void *waits(void *unused) {
    pthread_mutex_lock(&mutex);
    waiting = 1;
    pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waits, NULL);
    pthread_mutex_lock(&mutex);
    if (waiting) {
#ifdef WOKEN
#ifdef ONE
        pthread_cond_signal(&condition);
#else
        pthread_cond_broadcast(&condition);
#endif
#endif
        pthread_cond_destroy(&condition);
        pthread_mutex_unlock(&mutex);
        pthread_join(thread, NULL);
    }
    return 0;
}
