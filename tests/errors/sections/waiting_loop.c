// check --engine brute --model sc => violation blocked-in-atomic:17
// check --engine explore --model sc => violation blocked-in-atomic:17
// check --engine explore --model tso => violation blocked-in-atomic:17
// check --engine explore --dpor source --model pso => violation blocked-in-atomic:17
// check --engine reach --model tso => violation blocked-in-atomic:17
// check --engine lazy => violation blocked-in-atomic:17
/* A loop waits in an atomic section while another thread is at one that would be enabled if the section ended. */
#include <pthread.h>
#include <stddef.h>

#include "picket.h"

static volatile int never, zero;

static void *waits(void *argument) {
    picket_atomic_begin();
    while (never == 0) {
    }
    picket_atomic_end();
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waits, NULL);
    while (zero != 0) {
    }
    return 0;
}
