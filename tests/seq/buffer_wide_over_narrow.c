// check --engine seq --model sc => safe
// check --engine seq --model tso => safe
// check --engine seq --model pso => safe
// check --engine seq --model tso -DNARROW => violation assertion:38
// check --engine seq --model pso -DNARROW => violation assertion:38
// check --engine brute --model pso => safe
// A load wider than a pending store waits until that has drained, so it is a fence for it; a load of the stored size is
// not.
#include <assert.h>
#include <picket.h>
#include <pthread.h>

static union {
    unsigned word;
    unsigned char bytes[4];
} x;
static int y, r0, r1;

static void *other(void *unused) {
    y = 1;
    picket_fence();
    r1 = *(volatile unsigned char *)&x.bytes[1];
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    *(volatile unsigned char *)&x.bytes[1] = 1;
#ifdef NARROW
    unsigned own = *(volatile unsigned char *)&x.bytes[1] * 256u;
#else
    unsigned own = *(volatile unsigned *)&x.word;
#endif
    r0 = y;
    pthread_join(thread, NULL);
    assert(own == 256);
    assert(r0 || r1);
}
