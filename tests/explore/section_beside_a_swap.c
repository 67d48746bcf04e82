// check --engine brute --collect traces --model sc => safe traces 3
// check --engine explore --model sc => safe traces 3 blocked 0
// check --engine explore --model tso => safe traces 3 blocked 0
// check --engine explore --model pso => safe traces 3 blocked 0
/* A swap that is tried again until it goes through comes before, between and after two reads; the second is in a
 * section that writes something else. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "picket.h"

static _Atomic int x;
static int y;

static void *swaps(void *argument) {
    int expected = 0;
    while (!atomic_compare_exchange_strong(&x, &expected, 0)) {
        expected = 0;
    }
    return argument;
}

static void *reads(void *argument) {
    int expected = 2;
    atomic_compare_exchange_strong(&x, &expected, 1);
    picket_atomic_begin();
    expected = atomic_load_explicit(&x, memory_order_relaxed);
    y++;
    picket_atomic_end();
    return argument;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, swaps, NULL);
    pthread_create(&other, NULL, reads, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
}
