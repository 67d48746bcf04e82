// Hazard pointers (M. M. Michael, "Hazard pointers: safe memory reclamation for lock-free objects", 2004): a reader
// announces what it is about to use and reads again; a replaced node is freed only if no thread has announced it.
#include "harness.h"

#ifndef UPDATES
#define UPDATES 1
#endif

struct node {
    _Atomic int value;
};

static _Atomic(struct node *) current;
static _Atomic(struct node *) hazard;

static struct node *node_create(int value) {
    struct node *node = malloc(sizeof *node);
    STORE(node->value, value);
    return node;
}

static void *reader(void *unused) {
    struct node *node;
    do {
        node = LOAD(current);
        STORE(hazard, node);
        FENCE_FROM_TSO();
    } while (LOAD(current) != node);
    assert(LOAD(node->value) != 0);
    STORE(hazard, NULL);
    return unused;
}

static void *updater(void *unused) {
    for (int i = 0; i < UPDATES; i++) {
        struct node *old = atomic_exchange(&current, node_create(i + 2));
        if (LOAD(hazard) != old) {
            STORE(old->value, 0);
            free(old);
        }
    }
    return unused;
}

int main(void) {
    STORE(current, node_create(1));
    run_pair(reader, updater);
    return 0;
}
