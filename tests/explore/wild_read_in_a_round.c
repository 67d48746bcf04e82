// check --engine explore --model sc => violation out-of-bounds:22
// check --engine brute --model sc => violation out-of-bounds:22
//
// An iteration of a waiting loop reads beyond an array if the index is one that another thread keeps there briefly.
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int chosen;
static _Atomic int values[2];

static void *flicker(void *unused) {
    atomic_store_explicit(&chosen, 2, memory_order_relaxed);
    atomic_store_explicit(&chosen, 0, memory_order_relaxed);
    return unused;
}

static void *take(void *unused) {
    int index;
    int expected;
    do {
        index = atomic_load_explicit(&chosen, memory_order_relaxed);
        (void)atomic_load_explicit(&values[index], memory_order_relaxed); // here
        expected = index;
    } while (!atomic_compare_exchange_strong(&chosen, &expected, 7));
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, flicker, NULL);
    pthread_create(&other, NULL, take, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
