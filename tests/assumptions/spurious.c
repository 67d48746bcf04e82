// check --engine explore  => safe assuming spurious
// check --engine reach  => safe assuming spurious
// check --engine brute  => safe assuming spurious
// check --engine lazy  => safe assuming spurious
// check --engine rounds  => safe assuming spurious
// check --engine seq  => safe assuming spurious
// check --engine explore --spurious => violation assertion:26
// check --engine brute --spurious => violation assertion:26
// check --engine reach --spurious -DLOOP => safe
// A wait ends when it is signalled, unless --spurious says so: the program tests its condition only once.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready;

static void *work(void *unused) {
    pthread_mutex_lock(&mutex);
#ifdef LOOP
    while (!ready)
#else
    if (!ready)
#endif
        pthread_cond_wait(&condition, &mutex);
    assert(ready);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
