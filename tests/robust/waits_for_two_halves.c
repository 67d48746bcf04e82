// robust --engine explore --model tso => violation not-robust
// robust --engine oracle --model tso => violation not-robust
// robust --engine explore --model tso -DFENCED => safe
// robust --engine oracle --model tso -DFENCED => safe
/* A failed iteration of a waiting loop may see one half of a variable written and the other not, in either order. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static union {
    _Atomic uint64_t whole;
    _Atomic uint32_t half[2];
} x;

static void *low(void *argument) {
    atomic_store_explicit(&x.half[0], 1, memory_order_relaxed);
    return argument;
}

static void *high(void *argument) {
    atomic_store_explicit(&x.half[1], 1, memory_order_relaxed);
#ifdef FENCED
    atomic_thread_fence(memory_order_seq_cst);
#endif
    atomic_load_explicit(&x.half[0], memory_order_relaxed);
    return argument;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, low, NULL);
    pthread_create(&threads[1], NULL, high, NULL);
    while (atomic_load_explicit(&x.whole, memory_order_relaxed) != 7) {
    }
}
