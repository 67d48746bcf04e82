// check --engine seq --model sc => safe
// check --engine seq --model tso => safe
// check --engine seq --model pso => safe
// check --engine seq --model sc -DWRONG => violation assertion:34
// check --engine seq --model tso -DWRONG => violation assertion:34
// check --engine seq --model pso -DWRONG => violation assertion:34
// A shared counter of the iterations of a loop that an input decides: each raised bound lets it have further values.
#include <assert.h>
#include <pthread.h>

extern unsigned short __VERIFIER_nondet_ushort(void);

#ifdef WRONG
#define MOST 11
#else
#define MOST 16
#endif

static unsigned input, bits;

static void *count(void *unused) {
    for (unsigned rest = input; rest; rest >>= 1) {
        bits++;
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    input = __VERIFIER_nondet_ushort();
    pthread_create(&thread, NULL, count, NULL);
    pthread_join(thread, NULL);
    /* one line for both */
    assert(bits <= MOST);
}
