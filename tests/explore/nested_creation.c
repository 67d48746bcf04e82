// check --engine explore --model sc => safe traces 120 blocked 0
// check --engine explore --model tso -j 2 => safe traces 120 blocked 0
//
// Threads that create threads at the same time: in whatever order, the workers give them the same names.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int order;

static void *count(void *argument) {
    atomic_fetch_add(&order, 1);
    return argument;
}

static void *create(void *argument) {
    pthread_t child;
    pthread_create(&child, NULL, count, NULL);
    atomic_fetch_add(&order, 1);
    pthread_join(child, NULL);
    return argument;
}

int main(void) {
    pthread_t creators[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&creators[i], NULL, create, NULL);
    }
    atomic_fetch_add(&order, 1);
    for (int i = 0; i < 2; i++) {
        pthread_join(creators[i], NULL);
    }
    return 0;
}
