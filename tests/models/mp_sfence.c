// check --model sc --engine brute => safe
// check --model tso --engine brute => safe
// check --model pso --engine brute => safe
// sfence and a release fence are store barriers under PSO.
#include <assert.h>
#include <pthread.h>

static int x, y, z;

static void *first(void *unused) {
    x = 1;
    __asm__ volatile("sfence" ::: "memory");
    y = 1;
    __atomic_thread_fence(__ATOMIC_RELEASE);
    z = 1;
    return unused;
}

static void *second(void *unused) {
    int late = z;
    int middle = y;
    int early = x;
    return (void *)(long)(late * 4 + middle * 2 + early);
}

int main(void) {
    pthread_t threads[2];
    void *r1, *r2;
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], &r1);
    pthread_join(threads[1], &r2);
    assert(!((long)r2 == 2 || (long)r2 == 4 || (long)r2 == 5 || (long)r2 == 6));
    return 0;
}
