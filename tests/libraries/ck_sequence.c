// check --engine random --runs 100 --model tso => undecided
// check --engine random --runs 100 --model sc => undecided
// check --engine explore --model sc => safe traces 3 blocked 12
// check --engine explore --model tso => safe traces 3 blocked 12
// check --engine explore --model pso => violation assertion:36
// run => native
/* Concurrency Kit's sequence lock: a reader that need not retry has read both halves of one write. */
#include <assert.h>
#include <ck_sequence.h>
#include <pthread.h>
#include <stddef.h>

static ck_sequence_t sequence = CK_SEQUENCE_INITIALIZER;
static unsigned left;
static unsigned right;

static void *write_both(void *argument) {
    for (unsigned i = 1; i <= 2; i++) {
        ck_sequence_write_begin(&sequence);
        ck_pr_store_uint(&left, i);
        ck_pr_store_uint(&right, i);
        ck_sequence_write_end(&sequence);
    }
    return argument;
}

static void *read_both(void *argument) {
    unsigned version;
    unsigned l;
    unsigned r;
    do {
        version = ck_sequence_read_begin(&sequence);
        l = ck_pr_load_uint(&left);
        r = ck_pr_load_uint(&right);
    } while (ck_sequence_read_retry(&sequence, version));
    assert(l == r);
    return argument;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, write_both, NULL);
    pthread_create(&threads[1], NULL, read_both, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    return 0;
}
