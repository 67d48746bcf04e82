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

#ifdef ENDLESS
/* A thread that returns uses its predecessor's node, which no other thread uses any more. */
static struct node *_Atomic own[THREADS];
#define OWN(me) (LOAD(own[me]) ? LOAD(own[me]) : &nodes[me])
#else
#define OWN(me) &nodes[me]
#endif

static void *contend(void *argument) {
    int me = (int)(intptr_t)argument;
    struct node *mine = OWN(me);
    STORE(mine->held, 1);
    struct node *before = atomic_exchange(&tail, mine);
    while (LOAD(before->held)) {
    }
    critical_section(me);
    STORE_FENCE_FROM_PSO();
    STORE(mine->held, 0);
#ifdef ENDLESS
    STORE(own[me], before);
#endif
    return NULL;
}

int main(void) {
    run_threads(THREADS, contend);
    return 0;
}
