// check --engine random --runs 100 --model tso => undecided
// check --engine random --runs 100 --model sc => undecided
// check --engine explore --model tso --unroll 3 => safe within bounds
// run => native
/* Concurrency Kit's queue for many producers and consumers, which needs cmpxchg16b: nothing is lost or doubled. */
#include <assert.h>
#include <ck_fifo.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static ck_fifo_mpmc_t fifo __attribute__((aligned(16)));
static ck_fifo_mpmc_entry_t entries[3];

static void *produce(void *argument) {
    ck_fifo_mpmc_enqueue(&fifo, &entries[(intptr_t)argument], argument);
    return NULL;
}

static void *consume(void *argument) {
    intptr_t sum = 0;
    for (int i = 0; i < 2; i++) {
        void *value = NULL;
        ck_fifo_mpmc_entry_t *garbage;
        while (!ck_fifo_mpmc_dequeue(&fifo, &value, &garbage)) {
            ck_pr_stall();
        }
        sum += (intptr_t)value;
    }
    assert(sum == 3);
    return argument;
}

int main(void) {
    pthread_t threads[3];
    ck_fifo_mpmc_init(&fifo, &entries[0]);
    pthread_create(&threads[0], NULL, produce, (void *)1);
    pthread_create(&threads[1], NULL, produce, (void *)2);
    pthread_create(&threads[2], NULL, consume, NULL);
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
    return 0;
}
