// check -DLIMIT=3 --engine explore --model sc => safe traces 3 blocked 0
// check -DLIMIT=3 --engine explore --model tso => safe traces 4 blocked 0
// check -DLIMIT=3 --engine explore --model pso => safe traces 4 blocked 0
// check -DLIMIT=3 -DMAIN_EXITS --engine explore --model sc => safe traces 3 blocked 0
// check -DLIMIT=3 -DMAIN_EXITS --engine explore --model tso => safe traces 4 blocked 0
// check -DLIMIT=3 -DMAIN_EXITS --engine brute --collect traces --model tso => safe traces 4 blocked 0
// check -DLIMIT=2 --engine explore --model sc => violation assertion
// check -DLIMIT=2 --engine explore --model tso => violation assertion
//
// One thread may end the process while another, which is never joined, still runs.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, y;

static void *leaves(void *argument) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    if (atomic_load_explicit(&y, memory_order_relaxed) == 1) {
        exit(0);
    }
    return argument;
}

static void *other(void *argument) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    assert(atomic_load_explicit(&x, memory_order_relaxed) + 1 < LIMIT);
    return argument;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, leaves, NULL);
    pthread_create(&two, NULL, other, NULL);
    pthread_detach(two);
#ifdef MAIN_EXITS
    pthread_exit(NULL);
#endif
    pthread_join(one, NULL);
    return 0;
}
