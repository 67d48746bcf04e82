// check --engine seq --model sc => safe
// check --engine seq --model tso => safe
// check --engine seq --model pso => safe
// check --engine seq --model sc --unroll 3 => safe within bounds
// check --engine seq --model sc -DWRONG => violation assertion:39
// check --engine seq --model tso -DWRONG => violation assertion:39
// check --engine seq --model pso -DWRONG => violation assertion:39
// check --engine seq --model sc -DWRONG --unroll 3 => safe within bounds
// Digits counted by dividing in a loop: the wrong version is wrong from 10000 on.
#include <assert.h>
#include <pthread.h>

extern unsigned short __VERIFIER_nondet_ushort(void);

static unsigned short input;
static int digits;

static void *count(void *unused) {
    int found = 1;
    for (unsigned short rest = input; rest >= 10; rest /= 10) {
        found++;
    }
    digits = found;
    return unused;
}

int main(void) {
    pthread_t thread;
    input = __VERIFIER_nondet_ushort();
    pthread_create(&thread, NULL, count, NULL);
    pthread_join(thread, NULL);
    int expected = input < 10 ? 1 : input < 100 ? 2 : input < 1000 ? 3 : 4;
#ifndef WRONG
    if (input >= 10000) {
        expected = 5;
    }
#endif
    /* also of 65535 */
    assert(digits == expected);
}
