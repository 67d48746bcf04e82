// The queue of Michael and Scott ("Simple, fast, and practical non-blocking and blocking concurrent queue algorithms",
// 1996), with a dummy node in front and a tail that may lag by one.
#include "harness.h"

#ifndef THREADS
#define THREADS 2
#endif

struct node {
    _Atomic int value;
    _Atomic(struct node *) next;
};

static struct node nodes[THREADS + 1];
static _Atomic(struct node *) head = &nodes[THREADS];
static _Atomic(struct node *) tail = &nodes[THREADS];
static int taken[THREADS];

static bool pointer_swap(_Atomic(struct node *) *variable, struct node *old, struct node *new) {
    return atomic_compare_exchange_strong(variable, &old, new);
}

static void enqueue(struct node *node) {
    for (;;) {
        struct node *last = LOAD(tail);
        struct node *next = LOAD(last->next);
        if (next) {
            pointer_swap(&tail, last, next);
        } else if (pointer_swap(&last->next, NULL, node)) {
            pointer_swap(&tail, last, node);
            return;
        }
    }
}

static int dequeue(void) {
    for (;;) {
        struct node *first = LOAD(head);
        struct node *last = LOAD(tail);
        struct node *next = LOAD(first->next);
        if (LOAD(head) != first) {
            continue;
        }
        if (!next) {
            return 0;
        }
        if (first == last) {
            pointer_swap(&tail, last, next);
        } else {
            int value = LOAD(next->value);
            if (pointer_swap(&head, first, next)) {
                return value;
            }
        }
    }
}

static void *put_and_take(void *argument) {
    int me = (int)(intptr_t)argument;
    STORE(nodes[me].value, me + 1);
    enqueue(&nodes[me]);
    taken[me] = dequeue();
    return NULL;
}

int main(void) {
    run_threads(THREADS, put_and_take);
    int found = 0;
    for (int i = 0; i < THREADS; i++) {
        assert(taken[i] != 0);
        found |= 1 << taken[i];
    }
    assert(found == (1 << (THREADS + 1)) - 2);
    return 0;
}
