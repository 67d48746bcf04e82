// check --model sc => safe traces 10
// check --model tso => safe traces 10
// check --model pso -j 3 => safe traces 10
// check --dpor source => safe
// check --engine brute --collect traces => safe
// check -DFIND=2 => violation assertion:45
// check -DFIND=2 --engine brute => violation assertion:45
// check -DFIND=3 => safe
/* What is chosen inside an atomic section is tried in every way: two values, the second only if the first is not 0.
 * The other thread's section comes before or after each of them. */
#include <assert.h>
#include <pthread.h>

#include "picket.h"

static int x, y;

static void *choose(void *argument) {
    (void)argument;
    picket_atomic_begin();
    x = picket_nondet_int(0, 2);
    if (x != 0) {
        y = picket_nondet_int(0, 1) + x - 1;
    }
    picket_atomic_end();
    return NULL;
}

static void *read_all(void *argument) {
    int *seen = argument;
    picket_atomic_begin();
    *seen = x * 10 + y;
    picket_atomic_end();
    return NULL;
}

int main(void) {
    static int seen;
    pthread_t chooser, reader;
    pthread_create(&chooser, NULL, choose, NULL);
    pthread_create(&reader, NULL, read_all, &seen);
    pthread_join(chooser, NULL);
    pthread_join(reader, NULL);
#ifdef FIND
    assert(y != FIND);
#endif
    return 0;
}
