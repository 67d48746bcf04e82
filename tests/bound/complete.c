// Small enough for a bound beyond which there is nothing: then the verdict has no bound.
//
// check --engine rounds => violation assertion:38
// check --engine age => violation assertion:38
// check --engine rounds -DFENCED => safe
// check --engine age -DFENCED => safe
// check --engine rounds --rounds 1 => safe within bounds
// check --engine age --age 0 => safe within bounds
// check --engine brute --rounds 1 => safe within bounds
// check --engine brute --rounds 20 -DFENCED => safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int a, b;

static void fence(void) {
#ifdef FENCED
    atomic_thread_fence(memory_order_seq_cst);
#endif
}

static void *other(void *argument) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    fence();
    b = atomic_load_explicit(&x, memory_order_relaxed);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    fence();
    a = atomic_load_explicit(&y, memory_order_relaxed);
    pthread_join(thread, NULL);
    assert(a || b);
}
