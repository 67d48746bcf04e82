// check --engine brute => violation dangling-pointer:15
// check --engine explore --model sc => violation dangling-pointer:15
// check --engine explore --model tso => violation dangling-pointer:15
// check --engine explore --dpor source --model pso => violation dangling-pointer:15
// check --engine explore -DJOINED => safe assuming malloc
/* A loop waits for a word in the middle of an object that another thread frees. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static _Atomic int *object;

static void *waits(void *argument) {
    while (object[10] == 0) {
    }
    return argument;
}

int main(void) {
    pthread_t thread;
    object = calloc(16, sizeof *object);
    pthread_create(&thread, NULL, waits, NULL);
    object[10] = 1;
#ifdef JOINED
    pthread_join(thread, NULL);
#endif
    free((void *)object);
#ifndef JOINED
    pthread_join(thread, NULL);
#endif
    return 0;
}
