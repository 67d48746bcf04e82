// What the translation reads and allocates for its own ends is nothing that a verdict rests on: whether an object is
// there before a store to it waits, room for locals that threads share.  What the program reads is.
//
// check --engine rounds --rounds 2 => safe
// check --engine age --age 1 => safe
// check --engine rounds --rounds 2 -DHEAP => safe assuming malloc
// check --engine age --age 1 -DHEAP => safe assuming malloc
// check --engine rounds --rounds 3 -DNEW => safe assuming uninitialised
// check --engine age --age 1 -DNEW => safe assuming uninitialised
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int *_Atomic shared;

static void *reads(void *unused) {
    (void)unused;
    atomic_int *numbers = atomic_load_explicit(&shared, memory_order_acquire);
    if (numbers) {
        assert(atomic_load_explicit(&numbers[0], memory_order_relaxed) == 1);
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
#ifdef HEAP
    atomic_int *numbers = malloc(2 * sizeof *numbers);
#else
    atomic_int numbers[2];
#endif
    pthread_create(&thread, NULL, reads, NULL);
    atomic_store_explicit(&numbers[0], 1, memory_order_relaxed);
    assert(atomic_load_explicit(&numbers[0], memory_order_relaxed) == 1);
    atomic_store_explicit(&shared, numbers, memory_order_release);
#ifdef NEW
    assert(atomic_load_explicit(&numbers[1], memory_order_relaxed) == 0);
#endif
    pthread_join(thread, NULL);
    return 0;
}
