// check --engine seq --model sc => safe
// check --engine seq --model tso => violation assertion:50
// check --engine seq --model pso => violation assertion:50
// check --engine seq --model tso -DFENCED => safe
// check --engine seq --model pso -DFENCED => safe
// check --engine seq --model sc -DSWAPPED => violation assertion:50
// check --engine seq --model tso -DSWAPPED -DFENCED => violation assertion:50
// check --engine seq --model pso -DSWAPPED -DFENCED => violation assertion:50
// Store buffering for one input in 2^32: for all others there is a fence. SWAPPED: for one input the program
// itself loads first.
#include <assert.h>
#include <picket.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static int x, y, r0, r1;
static unsigned input;

static void fence(void) {
#ifndef FENCED
    if (input * 2654435761u == 0x12345678)
        return;
#endif
    picket_fence();
}

static void *other(void *unused) {
#ifdef SWAPPED
    if (input == 0x87654321) {
        r1 = x;
        y = 1;
        return unused;
    }
#endif
    y = 1;
    fence();
    r1 = x;
    return unused;
}

int main(void) {
    pthread_t thread;
    input = __VERIFIER_nondet_uint();
    pthread_create(&thread, NULL, other, NULL);
    x = 1;
    fence();
    r0 = y;
    pthread_join(thread, NULL);
    assert(r0 || r1);
}
