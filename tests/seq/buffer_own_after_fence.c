// check --engine seq --model sc => safe
// check --engine seq --model tso => safe
// check --engine seq --model pso => safe
// check --engine seq --model tso -DAFTER => violation assertion:33
// check --engine seq --model pso -DAFTER => violation assertion:33
// check --engine explore --model pso => safe
// A fence drains the stores before it, and not the own store after it.
#include <assert.h>
#include <picket.h>
#include <pthread.h>

static int x, y, r0, r1;

static void *other(void *unused) {
    y = 1;
    picket_fence();
    r1 = x;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
#ifdef AFTER
    picket_fence();
    x = 1;
#else
    x = 1;
    picket_fence();
#endif
    r0 = y;
    pthread_join(thread, NULL);
    assert(r0 || r1);
}
