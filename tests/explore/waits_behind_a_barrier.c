// check --engine explore --model tso => safe traces 2
// check --engine explore --model pso => safe traces 2
//
// A store waits after a store barrier while another thread waits for it: whether the first thread has looked at
// `early` before or after the other one has set it is all that is open.
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int early, flag, value;

static void *first(void *unused) {
    atomic_store_explicit(&value, 1, memory_order_relaxed);
    (void)atomic_load_explicit(&early, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return unused;
}

static void *second(void *unused) {
    atomic_store_explicit(&early, 1, memory_order_relaxed);
    while (!atomic_load_explicit(&flag, memory_order_relaxed)) {
    }
    atomic_store_explicit(&value, 2, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&other, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
