// check --engine explore --model sc => safe traces 3 blocked 0
// check --engine explore --model tso => safe traces 3 blocked 0
// check --engine explore --dpor source --model pso => safe traces 3 blocked 0
// check --engine brute --collect traces --model sc => safe traces 3 blocked 0
//
// Behind the store the compare-and-swap fails, and has nothing to do with the load of another byte.  Before it, it
// succeeds, and the load may come before or after it.
#include <pthread.h>
#include <stdint.h>

static union {
    uint64_t whole;
    uint16_t parts[4];
    uint8_t bytes[8];
} cell;

static void *exchange(void *unused) {
    uint64_t expected = 0;
    __atomic_compare_exchange_n(&cell.whole, &expected, UINT64_C(0x0102030405060708), 0, __ATOMIC_SEQ_CST,
                                __ATOMIC_SEQ_CST);
    return unused;
}

static void *store(void *unused) {
    __atomic_store_n(&cell.parts[3], 7, __ATOMIC_RELAXED);
    return unused;
}

static void *load(void *unused) {
    (void)__atomic_load_n(&cell.bytes[1], __ATOMIC_RELAXED);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, exchange, NULL);
    pthread_create(&threads[1], NULL, store, NULL);
    pthread_create(&threads[2], NULL, load, NULL);
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
    return 0;
}
