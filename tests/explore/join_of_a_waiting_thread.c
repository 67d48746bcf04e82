// check --engine explore --model tso => safe
// check --engine explore --model pso => violation deadlock:22
// check --engine brute --model pso => violation deadlock:22
//
// Under PSO the receiver may see the flag before the value, and then waits for a value that is never stored; main waits
// for the receiver for ever. The deadlock is reported where the receiver waits.
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int flag, value;

static void *sender(void *unused) {
    atomic_store_explicit(&value, 1, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return unused;
}

static void *receiver(void *unused) {
    while (!atomic_load_explicit(&flag, memory_order_relaxed)) {
    }
    if (!atomic_load_explicit(&value, memory_order_relaxed)) {
        while (atomic_load_explicit(&value, memory_order_relaxed) != 2) {
        }
    }
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, sender, NULL);
    pthread_create(&other, NULL, receiver, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
