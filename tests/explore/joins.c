// check --engine explore --model sc => safe traces 6 blocked 0
// check --engine explore --model tso => safe traces 6 blocked 0
// check --engine explore --model pso => safe traces 6 blocked 0
// check --engine explore --dpor source --model tso => safe traces 6 blocked 0
// check --engine explore -j 2 --model tso => safe traces 6 blocked 0
// check --engine brute --collect traces --model tso => safe traces 6 blocked 0
// check -DBAD --engine explore --model tso => violation assertion:56
//
// Threads whose ends and joins come in several orders: one does nothing, one is joined by a thread that is created
// before or after its end, and main looks around in between.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, y, z;
static pthread_t ended;

static void *nothing(void *argument) {
    return argument;
}

static void *writes(void *argument) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    (void)atomic_load_explicit(&y, memory_order_relaxed);
    return argument;
}

static void *joins_first(void *argument) {
    void *result;
    pthread_join(ended, &result);
    assert(result == (void *)3);
    assert(atomic_load(&x) == 1);
    atomic_store_explicit(&z, 1, memory_order_relaxed);
    return argument;
}

static void *creates(void *argument) {
    pthread_t child;
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    pthread_create(&child, NULL, joins_first, NULL);
    pthread_join(child, NULL);
    return argument;
}

int main(void) {
    pthread_t quick, creator;
    pthread_create(&ended, NULL, writes, (void *)3);
    pthread_create(&quick, NULL, nothing, NULL);
    pthread_create(&creator, NULL, creates, NULL);
    (void)atomic_load_explicit(&z, memory_order_relaxed);
    pthread_join(quick, NULL);
    (void)atomic_load_explicit(&x, memory_order_relaxed);
    pthread_join(creator, NULL);
#ifdef BAD
    assert(atomic_load(&y) == 0);
#endif
    return 0;
}
