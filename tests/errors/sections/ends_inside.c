// check --engine brute => violation blocked-in-atomic
// check --engine explore => violation blocked-in-atomic
// check --engine reach => violation blocked-in-atomic
// check --engine lazy => violation blocked-in-atomic
// check --engine seq => violation blocked-in-atomic
// check --engine rounds => violation blocked-in-atomic
// check --engine age => violation blocked-in-atomic
// check --engine brute -DEXITS => violation blocked-in-atomic:29
// check --engine rounds -DEXITS => violation blocked-in-atomic:29
// check --engine age -DEXITS => violation blocked-in-atomic:29
// check --engine rounds -DASSERTS => violation blocked-in-atomic
// check --engine age -DASSERTS => violation blocked-in-atomic
// check --engine brute -DPROCESS => safe
// check --engine rounds -DPROCESS => safe
// check --engine age -DPROCESS => safe
/* A thread that ends in an atomic section keeps the others waiting for ever; the end of the process does not. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#include "picket.h"

static int x;

static void *ends(void *argument) {
    picket_atomic_begin();
    x = 1;
#ifdef EXITS
    pthread_exit(argument);
#elif defined PROCESS
    exit(0);
#endif
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, ends, NULL);
#ifdef ASSERTS
    assert(x == 0);
#endif
    pthread_join(thread, NULL);
}
