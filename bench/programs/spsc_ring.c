// Lamport's ring buffer for one producer and one consumer: the producer alone moves the tail, the consumer the head.
#include "harness.h"

#ifndef SIZE
#define SIZE 2
#endif
#ifndef ITEMS
#define ITEMS 3
#endif

static _Atomic int ring[SIZE];
static _Atomic int head, tail;

static void *producer(void *unused) {
    for (int i = 0; i < ITEMS; i++) {
        while (i - LOAD(head) == SIZE) {
        }
        STORE(ring[i % SIZE], i + 1);
        STORE_FENCE_FROM_PSO();
        STORE(tail, i + 1);
    }
    return unused;
}

static void *consumer(void *unused) {
    for (int i = 0; i < ITEMS; i++) {
        while (LOAD(tail) == i) {
        }
        assert(LOAD(ring[i % SIZE]) == i + 1);
        STORE(head, i + 1);
    }
    return unused;
}

int main(void) {
    run_pair(producer, consumer);
    return 0;
}
