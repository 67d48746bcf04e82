// check --engine seq --model sc => safe
// check --engine seq --model tso => safe
// check --engine seq --model pso => safe
// check --engine seq --model sc -DWRONG => violation assertion:61
// check --engine seq --model tso -DWRONG => violation assertion:61
// check --engine seq --model pso -DWRONG => violation assertion:61
// check --engine explore --model tso -DFEW => safe
// Bits counted in three ways, by three threads; one of them is wrong for one input.
#include <assert.h>
#include <picket.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned input;
static int counts[3];

static void *by_loop(void *unused) {
    int count = 0;
    for (int i = 0; i < 32; i++) {
        count += input >> i & 1;
    }
    counts[0] = count;
    return unused;
}

static void *by_fields(void *unused) {
    unsigned value = input;
    value = value - (value >> 1 & 0x55555555);
    value = (value & 0x33333333) + (value >> 2 & 0x33333333);
    value = (value + (value >> 4)) & 0x0f0f0f0f;
    counts[1] = (int)(value * 0x01010101 >> 24);
    return unused;
}

static void *by_compiler(void *unused) {
    unsigned value = input;
    int count = __builtin_popcount(value);
#ifdef WRONG
    count -= value == 0xdeadbeef;
#endif
    counts[2] = count;
    return unused;
}

int main(void) {
    pthread_t threads[3];
#ifdef FEW
    input = (unsigned)picket_nondet_int(-1, 1);
#else
    input = __VERIFIER_nondet_uint();
#endif
    pthread_create(&threads[0], NULL, by_loop, NULL);
    pthread_create(&threads[1], NULL, by_fields, NULL);
    pthread_create(&threads[2], NULL, by_compiler, NULL);
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
    /* all three agree */
    int agree = counts[0] == counts[1] && counts[1] == counts[2];
    assert(agree);
}
