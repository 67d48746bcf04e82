// check --engine brute --model sc => violation assertion:27
// check --engine explore --model sc => violation assertion:27
// check --engine explore --model tso => violation assertion:27
// check --engine explore --dpor source --model pso => violation assertion:27
// check --engine brute --model sc -DWAITS => violation blocked-in-atomic:24
// check --engine explore --model sc -DWAITS => violation blocked-in-atomic:24
// check --engine explore --model tso -DWAITS => violation blocked-in-atomic:24
// check --engine explore --dpor source --model pso -DWAITS => violation blocked-in-atomic:24
/* A section goes wrong after an assumption that has failed: that does not count, but the others continue, and what they
 * do shows another execution in which the assumption holds. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "picket.h"

static _Atomic int x, flag, never;

static void *goes_wrong(void *argument) {
    while (flag == 0) {
    }
    picket_atomic_begin();
#ifdef WAITS
    while (never == 0) {
    }
#else
    assert(never != 0);
#endif
    picket_atomic_end();
    return argument;
}

static void *stores(void *argument) {
    x = 1;
    return argument;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, goes_wrong, NULL);
    pthread_create(&other, NULL, stores, NULL);
    int seen = x;
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    picket_assume(seen == 1);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
}
