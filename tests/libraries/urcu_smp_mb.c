// check --engine explore --model sc => safe traces 3 blocked 0
// check --engine explore --model tso => safe traces 3 blocked 0
// check --engine explore --model pso => safe traces 3 blocked 0
// check --engine explore --model tso -DWITHOUT => violation assertion:49
// check --engine random --runs 300 --model tso => undecided
// check --engine random --runs 300 --model tso -DWITHOUT => violation assertion:49
// check --engine random --runs 300 --model sc -DWITHOUT => undecided
/* liburcu's cmm_smp_mb between a store and a load, and what happens without it. */
#define _LGPL_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <urcu/arch.h>
#include <urcu/system.h>
#include <urcu/uatomic.h>

static int x;
static int y;
static int seen_x;
static int seen_y;

#ifdef WITHOUT
#define BARRIER() cmm_barrier()
#else
#define BARRIER() cmm_smp_mb()
#endif

static void *left(void *argument) {
    CMM_STORE_SHARED(x, 1);
    BARRIER();
    seen_y = CMM_LOAD_SHARED(y);
    return argument;
}

static void *right(void *argument) {
    CMM_STORE_SHARED(y, 1);
    BARRIER();
    seen_x = CMM_LOAD_SHARED(x);
    return argument;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, left, NULL);
    pthread_create(&threads[1], NULL, right, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    assert(seen_x || seen_y);
    return 0;
}
