// check --engine seq --model sc => safe
// check --engine seq --model tso => violation assertion:45
// check --engine seq --model pso => violation assertion:45
// check --engine seq --model tso -DFENCED => safe
// check --engine seq --model pso -DFENCED => safe
// check --engine seq --model sc -DANY => violation assertion:45
// check --engine seq --model tso -DANY -DFENCED => violation assertion:45
// check --engine seq --model pso -DANY -DFENCED => violation assertion:45
// check --engine brute --model sc => safe
// check --engine explore --model tso => violation assertion:45
// check --engine explore --model pso -DFENCED => safe
// Store buffering at indices that are inputs: only where the two indices are equal.
#include <assert.h>
#include <picket.h>
#include <pthread.h>

#ifdef FENCED
#define FENCE() picket_fence()
#else
#define FENCE() (void)0
#endif

static int place[8], r0, r1;

static void *other(void *index) {
    place[(long)index] = 1;
    FENCE();
    r1 = place[((long)index + 3) % 8];
    return NULL;
}

int main(void) {
    pthread_t thread;
    long mine = picket_nondet_long(0, 7);
    long its = picket_nondet_long(0, 7);
    pthread_create(&thread, NULL, other, (void *)its);
    place[(mine + 3) % 8] = 1;
    FENCE();
    r0 = place[mine];
    pthread_join(thread, NULL);
#ifdef ANY
    its = mine; /* what must hold only there is claimed of all inputs */
#endif
    /* each must see the other's store */
    assert(mine != its || r0 == 1 || r1 == 1);
}
