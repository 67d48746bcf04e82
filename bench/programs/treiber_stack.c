// Treiber's stack (R. K. Treiber, "Systems programming: coping with parallelism", 1986). With -DREUSE a popped node is
// pushed again: then a thread between its read of the top and its compare-and-swap may not notice that the top has been
// away (the ABA problem), and puts a node on the stack that another thread owns.
#include "harness.h"

struct node {
    _Atomic(struct node *) next;
};

static struct node nodes[2];
static _Atomic(struct node *) top;
static struct node *owned[2];

static void push(struct node *node) {
    struct node *first = LOAD(top);
    do {
        STORE(node->next, first);
    } while (!atomic_compare_exchange_strong(&top, &first, node));
}

static struct node *pop(void) {
    struct node *first = LOAD(top);
    while (first && !atomic_compare_exchange_strong(&top, &first, LOAD(first->next))) {
    }
    return first;
}

#ifdef REUSE

static void *pop_once(void *unused) {
    owned[0] = pop();
    return unused;
}

static void *pop_twice(void *unused) {
    struct node *first = pop();
    owned[1] = pop();
    if (first) {
        push(first);
    }
    return unused;
}

int main(void) {
    push(&nodes[1]);
    push(&nodes[0]);
    run_pair(pop_once, pop_twice);
    int found[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        if (owned[i]) {
            found[owned[i] - nodes]++;
        }
    }
    for (struct node *node = LOAD(top); node; node = LOAD(node->next)) {
        found[node - nodes]++;
    }
    assert(found[0] == 1 && found[1] == 1);
    return 0;
}

#else

static void *push_and_pop(void *argument) {
    int me = (int)(intptr_t)argument;
    push(&nodes[me]);
    owned[me] = pop();
    return NULL;
}

int main(void) {
    run_threads(2, push_and_pop);
    assert(owned[0] && owned[1] && owned[0] != owned[1] && !LOAD(top));
    return 0;
}

#endif
