// check --engine seq --model sc => safe assuming malloc
// check --engine seq --model tso => safe assuming malloc
// check --engine seq --model pso => safe assuming malloc
// check --engine seq --model sc -DUNLOCKED => violation assertion:48
// check --engine seq --model tso -DUNLOCKED => violation assertion:48
// check --engine seq --model pso -DUNLOCKED => violation assertion:48
// check --engine explore --model tso => safe assuming malloc
// Two threads push nodes from malloc onto a list.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};
static struct node *head;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *push(void *value) {
    for (int i = 0; i < 2; i++) {
        struct node *node = malloc(sizeof *node);
        if (!node) {
            abort();
        }
        node->value = (int)(long)value;
#ifndef UNLOCKED
        pthread_mutex_lock(&lock);
#endif
        node->next = head;
        head = node;
#ifndef UNLOCKED
        pthread_mutex_unlock(&lock);
#endif
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, push, (void *)1);
    push((void *)10);
    pthread_join(thread, NULL);
    int sum = 0;
    for (struct node *node = head; node; node = node->next) {
        sum += node->value;
    }
    assert(sum == 22);
}
