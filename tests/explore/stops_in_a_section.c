// check --engine explore --model sc => undecided traces 0 blocked 1
// check --engine explore --model tso => undecided traces 0 blocked 1
// check --engine explore --model pso => undecided traces 0 blocked 1
// check --engine explore --dpor source --model tso => undecided
// check --engine explore --model pso -j 2 => undecided
// check --engine brute --model pso => undecided
// check --engine reach --model tso => undecided
// robust --model tso => safe
// robust --model pso => safe
// check -DCUT --unroll 3 --engine explore --model tso => undecided
// check -DCUT --unroll 3 --engine explore --model pso => undecided
/* A thread fails an assumption, or is cut, in an atomic section when some of its stores have not reached memory yet:
 * no thread comes between them, and none that has seen them counts.  As every execution ends so, a proof would say
 * nothing.
 */
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
