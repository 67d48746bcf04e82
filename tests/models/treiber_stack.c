// check --model sc --engine brute => safe assuming weak
// check --model tso --engine brute => safe assuming weak
// check --model pso --engine brute => safe assuming weak
// Two pushes onto a lock-free stack: nothing is lost.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
    int value;
    struct node *next;
};

static struct node *_Atomic top;
static struct node nodes[2];

static void *push(void *argument) {
    struct node *node = argument;
    node->value = 1;
    struct node *old = atomic_load_explicit(&top, memory_order_relaxed);
    do {
        node->next = old;
    } while (!atomic_compare_exchange_weak_explicit(&top, &old, node, memory_order_release, memory_order_relaxed));
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, push, &nodes[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    int sum = 0;
    for (struct node *node = top; node; node = node->next)
        sum += node->value;
    assert(sum == 2);
    return 0;
}
