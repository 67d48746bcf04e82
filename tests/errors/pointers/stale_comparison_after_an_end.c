// check --model sc --check stale => safe within bounds
// check --model tso --check stale => safe within bounds
// check --model tso --check stale -DLATER => violation assertion:29
// check --model sc --check stale --engine brute => safe within bounds
// check --model sc --check stale --engine brute -DLATER => violation assertion:29
// check --model tso --check stale --engine seq -DLATER => violation assertion:29
// What follows a failed assumption is in no execution; what does not need it is.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "picket.h"

static int *_Atomic head, *_Atomic other;
static atomic_int seen;

static void *freer(void *unused) {
    picket_assume(atomic_load(&seen) == 2);
    free(atomic_load(&head));
    return unused;
}

static void *comparer(void *unused) {
    int *old = atomic_load(&head);
    int *now = atomic_load(&other);
    int same = old == now;
#ifdef LATER
    assert(atomic_exchange(&seen, 1) != 0); // here
#endif
    return same ? unused : NULL;
}

int main(void) {
    pthread_t threads[2];
    head = malloc(sizeof *head);
    other = malloc(sizeof *other);
    pthread_create(&threads[0], NULL, freer, NULL);
    pthread_create(&threads[1], NULL, comparer, NULL);
    pthread_join(threads[1], NULL);
    atomic_store(&seen, 2);
    pthread_join(threads[0], NULL);
}
