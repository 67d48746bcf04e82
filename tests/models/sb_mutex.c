// check --model sc --engine brute => safe
// check --model tso --engine brute => safe
// check --model pso --engine brute => safe
// Operations on a mutex wait for the buffer, even if no other thread uses it.
#include <assert.h>
#include <pthread.h>

static int x, y;
static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *first(void *unused) {
    pthread_mutex_lock(&locks[0]);
    x = 1;
    pthread_mutex_unlock(&locks[0]);
    return (void *)(long)(y);
}

static void *second(void *unused) {
    pthread_mutex_lock(&locks[1]);
    y = 1;
    pthread_mutex_unlock(&locks[1]);
    return (void *)(long)(x);
}

int main(void) {
    pthread_t threads[2];
    void *r1, *r2;
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], &r1);
    pthread_join(threads[1], &r2);
    assert(!((long)r1 == 0 && (long)r2 == 0));
    return 0;
}
