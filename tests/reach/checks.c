// What is looked for on request only.
//
// check --engine reach --model sc => safe
// check --engine reach --model sc --check races => violation race:21
// check --engine reach --model tso --check races => violation race:21
// check --engine reach --model pso --check races => violation race:21
// check --engine reach --model sc --check races -DATOMIC => safe
// check --engine reach --model tso --check races -DATOMIC => safe
#include <pthread.h>
#include <stdatomic.h>

#ifdef ATOMIC
static atomic_int x;
#else
static int x;
#endif
static int a, b;

static void *one(void *unused) {
    a = 1;
    x = 1;
    return unused;
}

static void *two(void *unused) {
    b = 1;
    x = 2;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, one, NULL);
    pthread_create(&threads[1], NULL, two, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return a + b - 2;
}
