// prove -DWRITTEN => output "the abstracted program gains no state by the store buffer, for any number of threads"
// prove -DWRITTEN -DSHARED --timeout 20 => undecided
// check --threads 2 => safe assuming malloc
/* The queue lock of Mellor-Crummey and Scott, for any number of threads.  The store that appends a node to its
 * predecessor moves past the load of that node's own successor if this load may also find none, and past the loop that
 * waits if that may continue to wait.  It needs facts about fields of nodes: the last node has no successor, and no two
 * threads have one predecessor.  With SHARED two nodes are one, so that they have. */
#include <picket.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define LOAD(place) atomic_load_explicit(&(place), memory_order_relaxed)
#define STORE(place, value) atomic_store_explicit(&(place), value, memory_order_relaxed)

struct node {
    _Atomic(struct node *) next;
    _Atomic int locked;
};

static _Atomic(struct node *) tail;
#ifdef SHARED
static struct node shared;
#endif

static void acquire(struct node *node) {
    STORE(node->next, NULL);
    STORE(node->locked, 1);
    struct node *before = atomic_exchange(&tail, node);
    if (before) {
        STORE(before->next, node);
        for (;;) {
            int locked = LOAD(node->locked);
#ifdef WRITTEN
            picket_reads(locked, locked == node->locked || locked == 1);
#endif
            if (!locked) {
                break;
            }
        }
    }
}

static void release(struct node *node) {
    struct node *next = LOAD(node->next);
#ifdef WRITTEN
    picket_reads(next, next == node->next || next == NULL);
#endif
    if (!next) {
        struct node *last = node;
        if (atomic_compare_exchange_strong(&tail, &last, NULL)) {
            return;
        }
        for (;;) {
            next = LOAD(node->next);
#ifdef WRITTEN
            picket_reads(next, next == node->next || next == NULL);
#endif
            if (next) {
                break;
            }
        }
    }
    STORE(next->locked, 0);
}

static void *contend(void *argument) {
#ifdef SHARED
    struct node *node = &shared;
#else
    struct node *node = malloc(sizeof *node);
#endif
    acquire(node);
    release(node);
    return NULL;
}

int main(void) {
    picket_any_number(contend, NULL);
    return 0;
}
