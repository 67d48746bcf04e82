// check --engine seq --model sc => safe
// check --engine seq --model tso => safe
// check --engine seq --model pso => safe
// check --engine explore --model pso => safe
// check --engine seq --model pso -DOVER => violation assertion:20
// check --engine brute --model pso -DOVER => violation assertion:20
// check --engine seq --model pso -DSOMETIMES => violation assertion:23
// check --engine explore --model pso -DSOMETIMES => violation assertion:23
// A release store is a store barrier before it: a store after it overtakes the release store, but none before that.
#include <assert.h>
#include <picket.h>
#include <pthread.h>

static int x, y, z;

static void *other(void *unused) {
    int after = __atomic_load_n(&z, __ATOMIC_RELAXED);
#ifdef OVER
    int release = __atomic_load_n(&y, __ATOMIC_RELAXED);
    assert(!after || release);
#else
    int before = __atomic_load_n(&x, __ATOMIC_RELAXED);
    assert(!after || before);
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    x = 1;
#ifdef SOMETIMES
    if (picket_nondet_int(0, 3)) {
        __atomic_store_n(&y, 1, __ATOMIC_RELEASE);
    }
#else
    __atomic_store_n(&y, 1, __ATOMIC_RELEASE);
#endif
    z = 1;
    pthread_join(thread, NULL);
}
