// check --engine seq --model sc => safe
// check --engine seq --model tso => safe
// check --engine seq --model pso => safe
// check --engine seq --model sc -DWRONG => violation assertion:31
// check --engine seq --model tso -DWRONG => violation assertion:31
// check --engine seq --model pso -DWRONG => violation assertion:31
// Another thread squares an input: one input of 2^16 has this square.
#include <assert.h>
#include <pthread.h>

#ifdef WRONG
#define SQUARE 3348900 /* 1830 * 1830 */
#else
#define SQUARE 3348901
#endif

extern unsigned short __VERIFIER_nondet_ushort(void);

static unsigned input, squared;

static void *square(void *unused) {
    squared = input * input;
    return unused;
}

int main(void) {
    pthread_t thread;
    input = __VERIFIER_nondet_ushort();
    pthread_create(&thread, NULL, square, NULL);
    pthread_join(thread, NULL);
    assert(squared != SQUARE);
}
