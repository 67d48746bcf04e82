// check --engine seq --model sc => safe
// check --engine seq --model tso => safe
// check --engine seq --model pso => safe
// check --engine seq --model sc -DWRONG => violation out-of-bounds:31
// check --engine seq --model tso -DWRONG => violation out-of-bounds:31
// check --engine seq --model pso -DWRONG => violation out-of-bounds:31
// check --engine seq --model tso -DVALUE=7 => safe
// check --engine seq --model tso -DVALUE=9 => violation assertion:47
// A table read at any index, which another thread has been given.
#include <assert.h>
#include <pthread.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

#ifdef WRONG
#define MASK 255
#else
#define MASK 63
#endif
#ifndef VALUE
#define VALUE 1000
#endif

static int table[200];
static unsigned char index;
static int found;

static void *look(void *unused) {
    unsigned at = index & MASK;
    /* the table */
    found = table[at];
    return unused;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 64; i++) {
        table[i] = i * i;
    }
    index = __VERIFIER_nondet_uchar();
    pthread_create(&thread, NULL, look, NULL);
    pthread_join(thread, NULL);
    int root = 0;
    for (int i = 0; i < 64; i++) {
        root += table[i] == found ? i : 0;
    }
    assert(found != VALUE);
#ifndef WRONG /* beyond the 64 it is wrong, too */
    assert(root == (index & MASK));
#endif
    (void)root;
}
