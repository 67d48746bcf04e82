// check --engine seq --model sc => safe
// check --engine seq --model tso => violation assertion:32
// check --engine seq --model pso => violation assertion:32
// check --engine seq --model tso -DFENCED => safe
// check --engine seq --model pso -DFENCED => safe
// check --engine brute --model tso => violation assertion:32
// A store of the value that memory has already is a store: it drains over another thread's.
#include <assert.h>
#include <picket.h>
#include <pthread.h>

static int x, z, its;

static void *other(void *unused) {
    z = 1;
    picket_fence();
    x = 1;
    picket_fence();
    its = x;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    x = 0;
#ifdef FENCED
    picket_fence();
#endif
    int first = z;
    pthread_join(thread, NULL);
    assert(first || its);
}
