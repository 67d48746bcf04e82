// The queue lock of Mellor-Crummey and Scott ("Algorithms for scalable synchronization on shared-memory
// multiprocessors", 1991): each waiter spins on a flag of its own, which its predecessor clears.
#include "critical_section.h"

#ifndef THREADS
#define THREADS 2
#endif

struct node {
    _Atomic(struct node *) next;
    _Atomic int waiting;
};

static struct node nodes[THREADS];
static _Atomic(struct node *) tail;

static void acquire(struct node *node) {
    STORE(node->next, NULL);
    STORE(node->waiting, 1);
    struct node *before = atomic_exchange(&tail, node);
    if (before) {
        STORE(before->next, node);
        while (LOAD(node->waiting)) {
        }
    }
}

static void release(struct node *node) {
    if (!LOAD(node->next)) {
        struct node *last = node;
        if (atomic_compare_exchange_strong(&tail, &last, NULL)) {
            return;
        }
        while (!LOAD(node->next)) {
        }
    }
    STORE_FENCE_FROM_PSO();
    STORE(LOAD(node->next)->waiting, 0);
}

static void *contend(void *argument) {
    int me = (int)(intptr_t)argument;
    acquire(&nodes[me]);
    critical_section(me);
    release(&nodes[me]);
    return NULL;
}

int main(void) {
    run_threads(THREADS, contend);
    return 0;
}
