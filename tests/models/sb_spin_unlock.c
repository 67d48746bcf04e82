// check --model sc --engine brute => safe
// check --model tso --engine brute => violation assertion:32
// check --model pso --engine brute => violation assertion:32
// Unlocking a spin lock is a release store: it does not wait for the buffer.
#include <assert.h>
#include <pthread.h>

static int x, y;
static pthread_spinlock_t locks[2];

static void *first(void *unused) {
    pthread_spin_lock(&locks[0]);
    x = 1;
    pthread_spin_unlock(&locks[0]);
    return (void *)(long)(y);
}

static void *second(void *unused) {
    pthread_spin_lock(&locks[1]);
    y = 1;
    pthread_spin_unlock(&locks[1]);
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
