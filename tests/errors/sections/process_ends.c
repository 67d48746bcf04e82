// check --engine brute => violation blocked-in-atomic:26
// check --engine explore => violation blocked-in-atomic:26
// check --engine explore --dpor source --model sc => violation blocked-in-atomic:26
// check --engine explore -DSECTION => violation blocked-in-atomic:26
// check --engine explore --dpor source --model sc -DSECTION => violation blocked-in-atomic:26
// check --engine explore --model pso -DSECTION => violation blocked-in-atomic:26
// check --engine brute -DSECTION => violation blocked-in-atomic:26
// check --engine brute -DSECTION -DINSIDE => safe
// check --engine explore -DSECTION -DINSIDE => safe
// check --engine brute -DINSIDE => violation blocked-in-atomic:26
// check --engine explore -DINSIDE => violation blocked-in-atomic:26
/* A thread that waits in an atomic section is an error only if it comes so far before the process ends, which may
 * happen in an atomic section, too. */
#include <pthread.h>
#include <stdlib.h>

#include "picket.h"

static int x = 1, y;

static void *waits(void *argument) {
    picket_atomic_begin();
#ifdef INSIDE
    picket_assume(y == 1);
#endif
    while (*(volatile int *)&x == 1) {
    }
    picket_atomic_end();
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waits, NULL);
#ifdef SECTION
    picket_atomic_begin();
#endif
    __atomic_store_n(&y, 1, __ATOMIC_SEQ_CST);
    exit(0);
}
