// check --model tso => safe traces 1
// check --model pso => safe traces 1
// check --model tso --engine brute => safe
// robust --model tso => safe
// A waiting loop with a fence between the read and the test of what was read: an iteration that will fail is not begun.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int flag;

static void *raise_flag(void *argument) {
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return argument;
}

int main(void) {
    pthread_t thread;
    int seen;
    pthread_create(&thread, NULL, raise_flag, NULL);
    do {
        seen = atomic_load_explicit(&flag, memory_order_relaxed);
        atomic_thread_fence(memory_order_seq_cst);
    } while (!seen);
    assert(flag == 1);
    pthread_join(thread, NULL);
    return 0;
}
