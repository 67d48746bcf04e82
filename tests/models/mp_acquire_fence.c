// check --model sc --engine brute => safe
// check --model tso --engine brute => safe
// check --model pso --engine brute => violation assertion:30
// An acquire fence is no store barrier.
#include <assert.h>
#include <pthread.h>

static int x, y;

static void *first(void *unused) {
    x = 1;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    y = 1;
    return unused;
}

static void *second(void *unused) {
    int flag = y;
    int message = x;
    return (void *)(long)(flag * 2 + message);
}

int main(void) {
    pthread_t threads[2];
    void *r1, *r2;
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], &r1);
    pthread_join(threads[1], &r2);
    assert(!((long)r2 == 2));
    return 0;
}
