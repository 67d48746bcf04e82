// Threads that are created in an atomic section and begin with what is no visible step of the extended program under
// SC: a fence, or a store that is delayed.  In the program itself they step only after the section.
//
// check --engine lazy --model tso -DFENCE => violation assertion:47
// check --engine lazy --model tso -DFENCE -DWAITS => violation blocked-in-atomic:38
// check --engine lazy --model tso => violation assertion:47
// check --engine lazy --model tso -DFENCE -DSAFE => safe
// check --engine lazy --model sc => safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "picket.h"

static int x, y, seen[2];

static void *first(void *argument) {
#ifdef FENCE
    atomic_thread_fence(memory_order_seq_cst);
#endif
    x = 1;
    seen[0] = y;
    return argument;
}

static void *second(void *argument) {
    y = 1;
    seen[1] = x;
    return argument;
}

int main(void) {
    pthread_t one, other;
    picket_atomic_begin();
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&other, NULL, second, NULL);
#ifdef WAITS
    while (*(volatile int *)&y == 0) {
    }
#endif
    picket_atomic_end();
    pthread_join(one, NULL);
    pthread_join(other, NULL);
#ifdef SAFE
    assert(x && y);
#else
    assert(seen[0] || seen[1]);
#endif
}
