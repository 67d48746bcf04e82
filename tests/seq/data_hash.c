// check --engine seq --model sc => safe
// check --engine seq --model tso => safe
// check --engine seq --model pso => safe
// check --engine seq --model sc -DWRONG => violation assertion:36
// check --engine seq --model tso -DWRONG => violation assertion:36
// check --engine seq --model pso -DWRONG => violation assertion:36
// A bijective hash of 32 bits, computed by another thread: different inputs have different hashes.
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

static unsigned one, other, hashes[2];

static unsigned hash(unsigned value) {
#ifdef WRONG
    value ^= value >> 1 << 1;
#else
    value ^= value >> 16;
#endif
    return value + (value << 3);
}

static void *work(void *unused) {
    hashes[0] = hash(one);
    hashes[1] = hash(other);
    return unused;
}

int main(void) {
    pthread_t thread;
    one = __VERIFIER_nondet_uint(), other = __VERIFIER_nondet_uint();
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    assert(one == other || hashes[0] != hashes[1]);
}
