// D. Vyukov's SafeStack: a stack of array indices without locks. A thread that pops marks the top by taking its link
// away and puts it back if the top has moved meanwhile; by then the link may belong to a new life of the same cell. Two
// threads can so get the same cell, under any memory model, but only with three threads, two of which have two rounds,
// and many switches between them.
#include "harness.h"

#ifndef THREADS
#define THREADS 3
#endif
#ifndef SIZE
#define SIZE 3
#endif
#ifndef ROUNDS
#define ROUNDS 2 /* of a thread */
#endif
#ifndef ATTEMPTS
#define ATTEMPTS 2 /* of one pop before it gives up */
#endif

struct cell {
    _Atomic int owner;
    _Atomic int next;
};

static struct cell cells[SIZE];
static _Atomic int head;
static _Atomic int count = SIZE;

static int pop(void) {
    for (int i = 0; i < ATTEMPTS && atomic_load(&count) > 1; i++) {
        int first = atomic_load(&head);
        int next = atomic_exchange(&cells[first].next, -1);
        if (next >= 0) {
            if (compare_and_swap(&head, first, next)) {
                atomic_fetch_sub(&count, 1);
                return first;
            }
            atomic_exchange(&cells[first].next, next);
        }
    }
    return -1;
}

static void push(int index) {
    int first = atomic_load(&head);
    do {
        atomic_store(&cells[index].next, first);
    } while (!atomic_compare_exchange_strong(&head, &first, index));
    atomic_fetch_add(&count, 1);
}

static void *work(void *argument) {
    int me = (int)(intptr_t)argument;
    for (int i = 0; i < ROUNDS; i++) {
        int index = pop();
        if (index < 0) {
            return NULL;
        }
        atomic_store(&cells[index].owner, me);
        assert(atomic_load(&cells[index].owner) == me);
        push(index);
    }
    return NULL;
}

int main(void) {
    for (int i = 0; i < SIZE; i++) {
        atomic_store(&cells[i].next, i + 1 < SIZE ? i + 1 : -1);
    }
    run_threads(THREADS, work);
    return 0;
}
