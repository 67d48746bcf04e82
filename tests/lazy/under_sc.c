// check --engine lazy --model sc => violation assertion:17
// check --engine lazy --model sc -DLAST=3 => safe
// check --engine lazy --model tso => violation assertion:17
/* Under SC nothing drains and a fence is no step: the execution is shown without them. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef LAST
#define LAST 1
#endif
static _Atomic int x, y;

static void *other(void *argument) {
    y = 1;
    atomic_thread_fence(memory_order_seq_cst);
    assert(atomic_load(&x) != LAST);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    x = 1;
    atomic_thread_fence(memory_order_seq_cst);
    x = 2;
    pthread_join(thread, NULL);
}
