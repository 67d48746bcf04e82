// check --engine explore => safe assuming malloc
// check --engine reach => safe assuming malloc
// check --engine lazy => safe assuming malloc
// check --engine seq => safe assuming malloc
// check --engine seq --model sc => safe assuming malloc
// check --engine seq --model pso -DBUFFERED => safe assuming uninitialised, malloc
// check --engine explore --model pso -DBUFFERED => safe assuming uninitialised, malloc
// check --engine explore -DFIELD => safe assuming uninitialised, malloc
// check --engine reach -DFIELD => safe assuming uninitialised, malloc
// check --engine seq -DFIELD => safe assuming uninitialised, malloc
// check --engine explore -DBRANCH => safe assuming uninitialised, malloc
// check --engine reach -DBRANCH => safe assuming uninitialised, malloc
// check --engine seq -DBRANCH => safe assuming uninitialised, malloc
// check --engine seq --rounds 8 -DFIELD => safe within bounds
/* A node that one thread makes and another reads: whether somebody has written it first depends on the order of steps,
 * of branches and of stores that reach memory. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    int other;
};

static _Atomic(struct node *) head;

static void *make(void *unused) {
    struct node *node = malloc(sizeof *node);
    node->value = 3;
#ifndef FIELD
    node->other = 4;
#endif
#ifdef BUFFERED
    atomic_store_explicit(&head, node, memory_order_relaxed);
#else
    atomic_store_explicit(&head, node, memory_order_release);
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    volatile int found[2];
    pthread_create(&thread, NULL, make, NULL);
    struct node *node = atomic_load(&head);
#ifndef BRANCH
    found[0] = found[1] = 0;
#endif
    if (node) {
        found[0] = node->value;
        found[1] = node->other;
    }
    assert(found[0] <= 3 && found[1] <= 4);
    pthread_join(thread, NULL);
    return 0;
}
