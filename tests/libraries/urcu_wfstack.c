// check --engine random --runs 100 --model tso => undecided
// check --engine random --runs 100 --model sc => undecided
// check --engine explore --model sc => safe assuming layout traces 4 blocked 0
// check --engine explore --model tso => safe assuming layout traces 4 blocked 0
// check --engine explore --model pso => safe assuming layout traces 4 blocked 0
// run => native
/* liburcu's wait-free stack: what two threads push is there once, in the end. */
#define _LGPL_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <urcu/wfstack.h>

static struct cds_wfs_stack stack;
static struct cds_wfs_node nodes[2];

static void *push(void *argument) {
    struct cds_wfs_node *node = &nodes[(long)argument];
    cds_wfs_node_init(node);
    cds_wfs_push(&stack, node);
    return NULL;
}

static void *push_and_pop(void *argument) {
    push(argument);
    struct cds_wfs_node *node = cds_wfs_pop_blocking(&stack);
    assert(node == &nodes[0] || node == &nodes[1]);
    return node;
}

int main(void) {
    pthread_t threads[2];
    void *popped;
    cds_wfs_init(&stack);
    pthread_create(&threads[0], NULL, push, (void *)0);
    pthread_create(&threads[1], NULL, push_and_pop, (void *)1);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], &popped);
    struct cds_wfs_head *rest = cds_wfs_pop_all_blocking(&stack);
    assert(&rest->node == &nodes[popped == &nodes[0]]);
    assert(cds_wfs_empty(&stack));
    cds_wfs_destroy(&stack);
    return 0;
}
