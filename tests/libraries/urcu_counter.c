// check --engine random --runs 100 --model tso => undecided
// check --engine random --runs 100 --model sc => undecided
// check --engine explore --model sc => safe traces 6 blocked 0
// check --engine explore --model tso => safe traces 6 blocked 0
// check --engine explore --model pso => safe traces 6 blocked 0
// run => native
/* liburcu's uatomic_inc and uatomic_add_return: no count is lost. */
#define _LGPL_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <urcu/uatomic.h>

static unsigned long counter;

static void *count(void *argument) {
    uatomic_inc(&counter);
    uatomic_add_return(&counter, 2);
    return argument;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, count, NULL);
    pthread_create(&threads[1], NULL, count, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    assert(uatomic_read(&counter) == 6);
    return 0;
}
