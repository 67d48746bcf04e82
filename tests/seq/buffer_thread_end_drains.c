// check --engine seq --model sc => safe
// check --engine seq --model tso => safe
// check --engine seq --model pso => safe
// check --engine explore --model pso => safe
// A thread ends, and is joined, only when its stores have drained.
#include <assert.h>
#include <pthread.h>

static int a, b;

static void *other(void *unused) {
    a = 1;
    b = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    pthread_join(thread, NULL);
    assert(a == 1 && b == 1);
}
