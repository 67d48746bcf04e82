// check --model sc => safe traces 12
// check --model tso -j 2 => safe traces 12
// check --model pso --dpor source => safe traces 12
// check --engine brute --collect traces => safe traces 12
// check -DMANY => safe traces 201
// check -DMANY -j 3 => safe traces 201
// check -DMANY --engine brute --collect traces => safe traces 201
// check --engine auto -DHUGE => safe
// check --engine explore -DHUGE => error "domains_in_a_section.c:38: error: a nondeterministic value"
/* How much an atomic section has to choose from may depend on what another thread has written.  With MANY there are
 * more ways than one number can hold. */
#include <pthread.h>

#include "picket.h"

static int limit = 1, seen;

static void *choose(void *argument) {
    (void)argument;
    picket_atomic_begin();
    int first = picket_nondet_int(0, limit);
#ifdef MANY
    if (first == 1) {
        for (int i = 0; i < 6; i++) {
            first += picket_nondet_int(0, 1) << i;
        }
    }
#endif
    seen = first;
    picket_atomic_end();
    return NULL;
}

static void *widen(void *argument) {
    (void)argument;
#ifdef HUGE
    picket_atomic_begin();
    limit = picket_nondet_int(0, 4096);
    picket_atomic_end();
#else
    limit = 3;
    limit = 0;
    limit = 4;
#endif
    return NULL;
}

int main(void) {
    pthread_t chooser, widener;
    pthread_create(&chooser, NULL, choose, NULL);
    pthread_create(&widener, NULL, widen, NULL);
    pthread_join(chooser, NULL);
    pthread_join(widener, NULL);
    return 0;
}
