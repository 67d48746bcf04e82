// check --engine brute --model sc -DN=43 => violation assertion:52
// check --engine explore --model sc -DN=38 => violation assertion:52
// check --engine explore --model sc -DN=43 => violation assertion:52
// check --engine explore --model tso -DN=43 => violation assertion:52
// check --engine explore --model pso -DN=60 => violation assertion:52
// check --engine explore --model sc -DN=1100 => violation assertion:52
// check --engine explore --dpor source --model sc -DN=43 => violation assertion:52
// check --engine explore -j 2 --model sc -DN=43 => violation assertion:52
// check --engine explore --model sc -DN=43 -DMAIN_STORES => violation assertion:52
// check --engine brute --model sc -DN=30 -DTHREE => violation assertion:52
// check --engine explore --model sc -DN=30 -DTHREE => violation assertion:52
// check --engine explore --model sc -DN=8 -DWIDE => violation assertion:52
// check --engine brute --collect traces --model sc -DN=43 -DSAFE => safe traces 45 blocked 0
// check --engine explore --model sc -DN=43 -DSAFE => safe traces 45 blocked 0
// check --engine explore --model tso -DN=60 -DSAFE => safe traces 62 blocked 0
// check --engine explore --model sc -DN=30 -DTHREE -DSAFE => safe traces 62 blocked 0
// check --engine reach --model sc -DN=43 => violation assertion:52
// check --engine lazy -DN=43 => violation assertion:52
// check --engine rounds --rounds 2 -DN=43 => violation assertion:52
//
// An atomic section that chooses again and again, and reads z only after the last of N equal choices: of all its
// outcomes just that one depends on the store of z.
#include <assert.h>
#include <pthread.h>

#include "picket.h"

static volatile int z;

#if defined THREE
#define CHOICE() (picket_nondet_int(0, 2) == 1)
#elif defined WIDE
#define CHOICE() (picket_nondet_int(0, 255) == 77)
#else
#define CHOICE() picket_nondet_int(0, 1)
#endif

static void *choose(void *unused) {
    int n = 0;
    int seen = 0;
    picket_atomic_begin();
    while (n < N && CHOICE()) {
        n++;
    }
    if (n == N) {
        seen = z;
    }
    picket_atomic_end();
#ifdef SAFE
    (void)seen;
#else
    assert(!seen);
#endif
    return unused;
}

static void *store(void *unused) {
    z = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
#ifdef MAIN_STORES
    pthread_create(&thread, NULL, choose, NULL);
    store(NULL);
#else
    pthread_create(&thread, NULL, store, NULL);
    choose(NULL);
#endif
    pthread_join(thread, NULL);
    return 0;
}
