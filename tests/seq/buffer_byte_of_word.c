// check --engine seq --model sc => safe
// check --engine seq --model tso => violation assertion:34
// check --engine seq --model pso => violation assertion:34
// check --engine brute --model tso => violation assertion:34
// check --engine seq --model tso -DOWN => safe
// check --engine seq --model pso -DOWN => safe
// One byte of a pending word is read from the buffer; the word may be in memory later than what is read then.
#include <assert.h>
#include <picket.h>
#include <pthread.h>

static union {
    unsigned word;
    unsigned char bytes[4];
} x;
static int y, r1;

static void *other(void *unused) {
    y = 1;
    picket_fence();
    r1 = x.bytes[3];
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    x.word = 0x04030201;
    unsigned char own = *(volatile unsigned char *)&x.bytes[2];
    int r0 = y;
    pthread_join(thread, NULL);
    assert(own == 3);
#ifndef OWN
    assert(r0 || r1 == 4);
#else
    assert(r1 == 0 || r1 == 4);
    (void)r0;
#endif
}
