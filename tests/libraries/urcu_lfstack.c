// check --engine random --runs 100 --model tso => undecided
// check --engine random --runs 100 --model sc => undecided
// check --engine explore --model sc --unroll 3 => safe within bounds
// check --engine explore --model tso --unroll 3 => safe within bounds
// check --engine explore --model pso --unroll 3 => safe within bounds
// run => native
/* liburcu's lock-free stack: two threads push, one pops; each element comes out once. */
#define _LGPL_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <urcu/lfstack.h>

static struct cds_lfs_stack stack;
static struct cds_lfs_node nodes[2];

static void *push(void *argument) {
    struct cds_lfs_node *node = &nodes[(long)argument];
    cds_lfs_node_init(node);
    cds_lfs_push(&stack, node);
    return NULL;
}

static void *pop(void *argument) {
    struct cds_lfs_node *popped[2];
    for (int i = 0; i < 2; i++) {
        while (!(popped[i] = cds_lfs_pop_blocking(&stack))) {
            caa_cpu_relax();
        }
    }
    assert(popped[0] != popped[1]);
    return argument;
}

int main(void) {
    pthread_t threads[3];
    cds_lfs_init(&stack);
    pthread_create(&threads[0], NULL, push, (void *)0);
    pthread_create(&threads[1], NULL, push, (void *)1);
    pthread_create(&threads[2], NULL, pop, NULL);
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
    assert(cds_lfs_empty(&stack));
    return 0;
}
