// check --engine brute => violation dangling-pointer:21
// check --engine explore --model sc => violation dangling-pointer:21
// check --engine explore --model tso => violation dangling-pointer:21
// check --engine explore --dpor source --model pso => violation dangling-pointer:21
// check --engine explore --model sc -DENDS => violation dangling-pointer:21
// check --engine explore --model tso -DENDS => violation dangling-pointer:21
/* A thread uses what another one has freed, before that one fails an assumption or ends the process; the order in which
 * explore meets these does not matter. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "picket.h"

static int *object;
static _Atomic int never;
static int last;

static void *uses(void *argument) {
    last = 1;
    *object = 1;
    return argument;
}

int main(void) {
    pthread_t thread;
    object = malloc(sizeof *object);
    pthread_create(&thread, NULL, uses, NULL);
    free(object);
    int seen = never;
#ifdef ENDS
    return seen;
#else
    picket_assume(seen == 1);
    return 0;
#endif
}
