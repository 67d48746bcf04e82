// Nodes from the heap are handed from thread to thread; one is freed while a store to it is pending elsewhere.
//
// check --engine rounds --rounds 3 => violation dangling-pointer
// check --engine age --age 1 => violation dangling-pointer
// check --engine rounds --rounds 2 -DKEEP => safe assuming malloc
// check --engine age --age 1 -DKEEP => safe assuming malloc
// check --engine rounds --rounds 3 --copies 1 -DKEEP => error "more words have pending stores"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    int touched;
};

static struct node *_Atomic box;
static atomic_int done;

static void *taker(void *argument) {
    (void)argument;
    struct node *node = atomic_load_explicit(&box, memory_order_acquire);
    if (node) {
        assert(node->value == 1);
        node->touched = 1;
        atomic_store_explicit(&done, 1, memory_order_relaxed);
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, taker, NULL);
    struct node *node = malloc(sizeof *node);
    node->value = 1;
    node->touched = 0;
    atomic_store_explicit(&box, node, memory_order_release);
#ifndef KEEP
    /* Too early: the store to `touched` may come after the end of the node. */
    free(node);
#endif
    pthread_join(thread, NULL);
#ifdef KEEP
    assert(node->touched == atomic_load(&done));
    free(node);
#endif
}
