// check --model sc --check stale => violation stale-pointer:21
// check --model tso --check stale => violation stale-pointer:21
// check --model pso --check stale => violation stale-pointer:21
// check --model tso --check stale -DSWAPPED => violation stale-pointer:21
// check --model sc --check stale --engine brute => violation stale-pointer:21
// check --model sc --check stale --engine seq => violation stale-pointer:21
// check --model tso --check stale --engine lazy => violation stale-pointer:21
// check --model tso => safe assuming reuse, malloc
// check --model tso -DSWAPPED => safe assuming reuse, malloc
// check --model tso --engine reach => safe assuming reuse, malloc
// A comparison accesses nothing, so no order between it and the end of the object is a conflict.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic head, *_Atomic other;

static void *comparer(void *unused) {
    int *old = atomic_load(&head);
    int *now = atomic_load(&other);
    return old == now ? unused : NULL; // here
}

static void *freer(void *unused) {
    free(atomic_exchange(&head, NULL));
    return unused;
}

int main(void) {
    pthread_t threads[2];
    head = malloc(sizeof *head);
    other = malloc(sizeof *other);
#ifdef SWAPPED
    pthread_create(&threads[0], NULL, freer, NULL);
    pthread_create(&threads[1], NULL, comparer, NULL);
#else
    pthread_create(&threads[0], NULL, comparer, NULL);
    pthread_create(&threads[1], NULL, freer, NULL);
#endif
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
}
