// robust --engine explore --model tso => safe
// robust --engine oracle --model tso => safe
// robust --engine explore --model pso => safe
// robust --engine explore --model tso -DWRITES => violation not-robust
// robust --engine oracle --model tso -DWRITES => violation not-robust
//
// A section that reads y and writes x only reads y: who reads y too, with a store of x pending, is not ordered with it.
#include <pthread.h>

#include "picket.h"

static volatile int x, y;

static void *run(void *unused) {
    x = 1;
    x = 2;
    (void)y;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    picket_atomic_begin();
#ifdef WRITES
    y = 1;
#else
    (void)y;
#endif
    x = 3;
    picket_atomic_end();
    return 0;
}
