/* An input of fuzz_program: read by the front end, saved, and then damaged. */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;
static _Thread_local int mine;
static void *f(void *a) {
    mine = 3;
    pthread_mutex_lock(&m);
    ready += mine;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return a;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_mutex_lock(&m);
    while (!ready)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    assert(ready == 3);
}
