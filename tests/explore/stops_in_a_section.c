// check --engine explore --model sc => safe traces 0 blocked 1
// check --engine explore --model tso => safe traces 0 blocked 1
// check --engine explore --model pso => safe traces 0 blocked 1
// check --engine explore --dpor source --model tso => safe
// check --engine explore --model pso -j 2 => safe
// check --engine brute --model pso => safe
// check --engine reach --model tso => safe
// robust --model tso => safe
// robust --model pso => safe
// check -DCUT --unroll 3 --engine explore --model tso => undecided
// check -DCUT --unroll 3 --engine explore --model pso => undecided
/* A thread fails an assumption, or is cut, in an atomic section when some of its stores have not reached memory yet:
 * nobody comes between them, and nobody who has seen them counts. */
#include <assert.h>
#include <pthread.h>

#include "picket.h"

static int x, y;

static void *stops(void *argument) {
    picket_atomic_begin();
    x = 1;
    y = 1;
#ifdef CUT
    for (int i = 0; i < 5; i++) {
        x += y;
    }
#else
    picket_assume(y == 2);
#endif
    picket_atomic_end();
    return argument;
}

static void *looks(void *argument) {
    assert(x == 0 && y == 0);
    return argument;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, stops, NULL);
    pthread_create(&other, NULL, looks, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
}
