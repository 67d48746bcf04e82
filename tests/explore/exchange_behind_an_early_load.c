// check --engine explore --model sc => safe traces 4 blocked 2
// check --engine explore --model tso => safe traces 4 blocked 2
// check --engine explore --model pso => safe traces 4 blocked 2
// check --engine explore --dpor source --model tso => safe traces 4 blocked 2
// check --engine brute --collect traces --model tso => safe traces 4 blocked 2
//
// A compare-and-swap races with a load that the own buffer has served: when it comes before that load it succeeds all
// the same, for a load changes nothing.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *exchange(void *argument) {
    int expected;
    do {
        expected = 2;
    } while (!atomic_compare_exchange_strong(&x, &expected, 1));
    return argument;
}

static void *store_and_load(void *argument) {
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    (void)atomic_load_explicit(&x, memory_order_relaxed);
    return argument;
}

static void *wait(void *argument) {
    while (atomic_load_explicit(&x, memory_order_relaxed) == 1) {
    }
    return argument;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], 0, exchange, 0);
    pthread_create(&threads[1], 0, store_and_load, 0);
    pthread_create(&threads[2], 0, wait, 0);
    pthread_exit(0);
}
