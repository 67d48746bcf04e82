// check --engine random --runs 100 --model tso => undecided
// check --engine random --runs 100 --model sc => undecided
// check --engine explore --model sc => safe traces 14 blocked 0
// check --engine explore --model tso => safe traces 14 blocked 0
// check --engine explore --model pso => violation assertion:33
// run => native
/* Concurrency Kit's ring with two producers and one of the consumers that allow more: nothing is lost or doubled. */
#include <assert.h>
#include <ck_ring.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static ck_ring_t ring;
static ck_ring_buffer_t buffer[4];

static void *produce(void *argument) {
    while (!ck_ring_enqueue_mpmc(&ring, buffer, argument)) {
        ck_pr_stall();
    }
    return NULL;
}

static void *consume(void *argument) {
    intptr_t sum = 0;
    for (int i = 0; i < 2; i++) {
        void *value;
        while (!ck_ring_dequeue_mpmc(&ring, buffer, &value)) {
            ck_pr_stall();
        }
        sum += (intptr_t)value;
    }
    assert(sum == 3);
    return argument;
}

int main(void) {
    pthread_t threads[3];
    ck_ring_init(&ring, 4);
    pthread_create(&threads[0], NULL, produce, (void *)1);
    pthread_create(&threads[1], NULL, produce, (void *)2);
    pthread_create(&threads[2], NULL, consume, NULL);
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
    assert(ck_ring_size(&ring) == 0);
    return 0;
}
