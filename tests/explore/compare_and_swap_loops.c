// check --engine explore --model sc => safe traces 2
// check --engine explore --model tso => safe traces 2
// check --engine explore --model pso => safe traces 2
//
// Two threads that each retry a compare-and-swap: one goes first. An iteration that fails is no behaviour of its own,
// but the read with which it began must be tried after the other thread too.
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int counter;

static void *add(void *amount) {
    for (;;) {
        int seen = atomic_load_explicit(&counter, memory_order_relaxed);
        if (atomic_compare_exchange_strong(&counter, &seen, seen + *(int *)amount)) {
            return NULL;
        }
    }
}

int main(void) {
    static const int amounts[] = {1, 2};
    pthread_t one, other;
    pthread_create(&one, NULL, add, (void *)&amounts[0]);
    pthread_create(&other, NULL, add, (void *)&amounts[1]);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
