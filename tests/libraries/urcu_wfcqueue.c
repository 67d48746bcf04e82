// check --engine random --runs 100 --model tso => undecided
// check --engine random --runs 100 --model sc => undecided
// check --engine explore --model sc --unroll 3 => safe within bounds
// check --engine explore --model tso --unroll 3 => safe within bounds
// check --engine explore --model pso --unroll 3 => safe within bounds
// run => native
/* liburcu's wait-free queue: one producer's values arrive in order, and none is lost. */
#define _LGPL_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <urcu/wfcqueue.h>

static struct cds_wfcq_head head;
static struct cds_wfcq_tail tail;
static struct cds_wfcq_node nodes[2];

static void *produce(void *argument) {
    for (int i = 0; i < 2; i++) {
        cds_wfcq_node_init(&nodes[i]);
        cds_wfcq_enqueue(&head, &tail, &nodes[i]);
    }
    return argument;
}

static void *consume(void *argument) {
    for (int i = 0; i < 2; i++) {
        struct cds_wfcq_node *node;
        while (!(node = cds_wfcq_dequeue_blocking(&head, &tail))) {
            caa_cpu_relax();
        }
        assert(node == &nodes[i]);
    }
    return argument;
}

int main(void) {
    pthread_t threads[2];
    cds_wfcq_init(&head, &tail);
    pthread_create(&threads[0], NULL, produce, NULL);
    pthread_create(&threads[1], NULL, consume, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    assert(cds_wfcq_empty(&head, &tail));
    return 0;
}
