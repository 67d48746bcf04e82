// check --model sc => safe traces 2
// check --model tso => safe traces 2
// check --engine brute --collect traces --model sc => safe
/* A section that creates a thread and writes what that thread reads: they are in no race. */
#include <pthread.h>

#include "picket.h"

static int x, y;

static void *run(void *argument) {
    (void)argument;
    picket_atomic_begin();
    y = x + 1;
    picket_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t thread;
    picket_atomic_begin();
    x = 1;
    pthread_create(&thread, NULL, run, NULL);
    picket_atomic_end();
    int seen = y;
    pthread_join(thread, NULL);
    return seen - seen;
}
