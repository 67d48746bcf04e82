// check --engine seq --model sc => safe assuming malloc
// check --engine seq --model tso => safe assuming malloc
// check --engine seq --model pso => violation assertion:36
// check --engine seq --model pso -DRELEASE => safe assuming malloc
// check --engine seq --model sc -DEARLY => violation assertion:36
// check --engine seq --model tso -DEARLY => violation assertion:36
// check --engine seq --model pso -DEARLY -DRELEASE => violation assertion:36
// A node is published before its contents, for one input, and only where stores to two places are reordered; or for
// one input too early by the program itself.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

struct node {
    unsigned key;
    unsigned check;
};
static struct node *published;

#ifdef RELEASE
#define ORDER __ATOMIC_RELEASE
#else
#define ORDER __ATOMIC_RELAXED
#endif

static void *reader(void *unused) {
    struct node *node = __atomic_load_n(&published, __ATOMIC_ACQUIRE);
    if (!node) {
        return unused;
    }
    unsigned key = node->key;
    if (key > 1000) {
        /* the second word must be there as well */
        assert(node->check == ~key);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, reader, NULL);
    struct node *node = calloc(1, sizeof *node);
    if (node) {
        unsigned key = __VERIFIER_nondet_uint();
        node->key = key;
#ifdef EARLY
        if (key == 77777) {
            __atomic_store_n(&published, node, ORDER);
        }
#endif
        node->check = ~key;
        __atomic_store_n(&published, node, key == 77777 ? ORDER : __ATOMIC_RELEASE);
    }
    pthread_join(thread, NULL);
    free(node);
}
