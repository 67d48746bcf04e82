// check --engine brute --model sc => violation assertion
// check --engine explore --model sc => violation assertion
// check --engine explore --model tso => violation assertion
// check --engine explore --model pso => violation assertion
//
// Three threads write a byte each of the word for which main waits.  After all three it could have come before the
// second and third, or before the first alone.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static union {
    _Atomic unsigned word;
    _Atomic unsigned char bytes[4];
} flags;

static void *writer(void *which) {
    atomic_store_explicit(&flags.bytes[(long)which], 1, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (long i = 0; i < 3; i++) {
        pthread_create(&threads[i], NULL, writer, (void *)i);
    }
    unsigned seen;
    do {
        seen = atomic_load_explicit(&flags.word, memory_order_relaxed);
    } while (seen != 0x010101 && seen != 0x000001 && seen != 0x010100);
    assert(seen != 0x010100);
    return 0;
}
