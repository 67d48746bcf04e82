// check --model sc --engine brute => safe
// check --model tso --engine brute => safe
// check --model pso --engine brute => safe
// A release store keeps the message in front of the flag.
#include <assert.h>
#include <pthread.h>

static int x, y;

static void *first(void *unused) {
    x = 1;
    __atomic_store_n(&y, 1, __ATOMIC_RELEASE);
    return unused;
}

static void *second(void *unused) {
    int flag = __atomic_load_n(&y, __ATOMIC_ACQUIRE);
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
