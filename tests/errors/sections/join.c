// check --engine brute --model sc => violation blocked-in-atomic
// check --engine explore --model sc => violation blocked-in-atomic
// check --engine explore --model tso => violation blocked-in-atomic
// check --engine explore --dpor source --model pso => violation blocked-in-atomic
// check --engine reach --model tso => violation blocked-in-atomic
// check --engine explore -DOUTSIDE => safe
// check --engine brute --model sc -DLATER => violation blocked-in-atomic
// check --engine explore --model sc -DLATER => violation blocked-in-atomic
// check --engine explore --model tso -DLATER => violation blocked-in-atomic
/* A join in an atomic section waits for ever if the thread has not ended before. */
#include <pthread.h>

#include "picket.h"

static void *ends(void *argument) {
    return argument;
}

static void join(pthread_t thread) {
    pthread_join(thread, NULL);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, ends, NULL);
#ifdef LATER
    pthread_t other;
    pthread_create(&other, NULL, ends, NULL);
    join(other);
#endif
#ifdef OUTSIDE
    picket_atomic_begin();
    picket_atomic_end();
    join(thread);
#else
    picket_atomic_begin();
    join(thread);
    picket_atomic_end();
#endif
}
