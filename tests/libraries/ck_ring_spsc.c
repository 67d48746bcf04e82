// check --engine random --runs 100 --model tso => undecided
// check --engine random --runs 100 --model sc => undecided
// check --engine explore --model sc => safe traces 14 blocked 0
// check --engine explore --model tso => safe traces 14 blocked 0
// check --engine explore --model pso => violation assertion:32
// run => native
/* Concurrency Kit's ring with one producer and one consumer: values arrive in order. */
#include <assert.h>
#include <ck_ring.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static ck_ring_t ring;
static ck_ring_buffer_t buffer[4];

static void *produce(void *argument) {
    for (intptr_t i = 1; i <= 3; i++) {
        while (!ck_ring_enqueue_spsc(&ring, buffer, (void *)i)) {
            ck_pr_stall();
        }
    }
    return argument;
}

static void *consume(void *argument) {
    for (intptr_t i = 1; i <= 3; i++) {
        void *value;
        while (!ck_ring_dequeue_spsc(&ring, buffer, &value)) {
            ck_pr_stall();
        }
        assert((intptr_t)value == i);
    }
    return argument;
}

int main(void) {
    pthread_t threads[2];
    ck_ring_init(&ring, 4);
    pthread_create(&threads[0], NULL, produce, NULL);
    pthread_create(&threads[1], NULL, consume, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    return 0;
}
