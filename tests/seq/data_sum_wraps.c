// check --engine seq --model sc => safe
// check --engine seq --model tso => safe
// check --engine seq --model pso => safe
// check --engine seq --model sc -DWRONG => violation assertion:34
// check --engine seq --model tso -DWRONG => violation assertion:34
// check --engine seq --model pso -DWRONG => violation assertion:34
// The average of two numbers: their sum wraps around.
#include <assert.h>
#include <pthread.h>

extern unsigned long __VERIFIER_nondet_ulong(void);

static unsigned long a, b, average;

static void *compute(void *unused) {
    unsigned long x = a, y = b;
#ifdef WRONG
    average = (x + y) / 2;
#else
    average = x / 2 + y / 2 + (x & y & 1);
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    a = __VERIFIER_nondet_ulong();
    b = __VERIFIER_nondet_ulong();
    pthread_create(&thread, NULL, compute, NULL);
    pthread_join(thread, NULL);
    unsigned long low = a < b ? a : b;
    unsigned long high = a < b ? b : a;
    /* between the two */
    assert(low <= average && average <= high);
}
