// The queue lock of Craig, and of Landin and Hagersten (1993): each waiter spins on the node of its predecessor.
#include "critical_section.h"

#ifndef THREADS
#define THREADS 2
#endif

struct node {
    _Atomic int held;
};

static struct node nodes[THREADS + 1];
static _Atomic(struct node *) tail = &nodes[THREADS];

static void *contend(void *argument) {
    int me = (int)(intptr_t)argument;
    STORE(nodes[me].held, 1);
    struct node *before = atomic_exchange(&tail, &nodes[me]);
    while (LOAD(before->held)) {
    }
    critical_section(me);
    STORE_FENCE_FROM_PSO();
    STORE(nodes[me].held, 0);
    return NULL;
}

int main(void) {
    run_threads(THREADS, contend);
    return 0;
}
