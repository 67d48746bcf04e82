// check --model sc => safe traces 2
// check --model tso => safe traces 2
// check --engine brute --model sc => safe
/* The process ends inside an atomic section: no thread waits for the end of that. */
#include <pthread.h>
#include <stdlib.h>

#include "picket.h"

static int x;

static void *run(void *argument) {
    (void)argument;
    picket_atomic_begin();
    x = 1;
    picket_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    picket_atomic_begin();
    exit(x);
}
