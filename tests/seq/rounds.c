// Two threads take turns: each turn is a change of thread, so the error needs as many rounds.  Its last part is a store
// that waits for a round.
//
// check --engine seq --model tso => violation assertion:40
// check --engine seq --model sc => safe
// check --engine seq --model tso --rounds 1 => safe within bounds
// check --engine seq --model tso --rounds 2 => safe within bounds
// check --engine seq --model tso --rounds 4 => violation assertion:40
// check --engine seq --model pso --rounds 4 => violation assertion:40
// check --engine seq --model sc --rounds 6 => safe within bounds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int turn;
static atomic_int x, y;
static int a;

static void *other(void *argument) {
    if (atomic_load(&turn) == 1) {
        atomic_store(&turn, 2);
    }
    if (atomic_load(&turn) == 3) {
        atomic_store_explicit(&x, 1, memory_order_relaxed);
        a = atomic_load_explicit(&y, memory_order_relaxed) == 0;
    }
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    atomic_store(&turn, 1);
    if (atomic_load(&turn) == 2) {
        atomic_store(&turn, 3);
        atomic_store_explicit(&y, 1, memory_order_relaxed);
        int b = atomic_load_explicit(&x, memory_order_relaxed) == 0;
        pthread_join(thread, NULL);
        assert(!(a && b));
    }
    return 0;
}
