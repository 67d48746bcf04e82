// check --engine random --runs 100 --model tso => undecided
// check --engine random --runs 100 --model sc => undecided
// check --engine explore --model sc => safe traces 1 blocked 0
// check --engine explore --model tso => safe traces 1 blocked 0
// check --engine explore --model pso => violation assertion:30
// run => native
/* Concurrency Kit's queue with one producer and one consumer: values arrive in order. */
#include <assert.h>
#include <ck_fifo.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static ck_fifo_spsc_t fifo;
static ck_fifo_spsc_entry_t entries[4];

static void *produce(void *argument) {
    for (intptr_t i = 1; i <= 3; i++) {
        ck_fifo_spsc_enqueue(&fifo, &entries[i], (void *)i);
    }
    return argument;
}

static void *consume(void *argument) {
    for (intptr_t i = 1; i <= 3; i++) {
        void *value;
        while (!ck_fifo_spsc_dequeue(&fifo, &value)) {
            ck_pr_stall();
        }
        assert((intptr_t)value == i);
    }
    return argument;
}

int main(void) {
    pthread_t threads[2];
    ck_fifo_spsc_init(&fifo, &entries[0]);
    pthread_create(&threads[0], NULL, produce, NULL);
    pthread_create(&threads[1], NULL, consume, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    return 0;
}
