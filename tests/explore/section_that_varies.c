// check --engine explore --model sc => safe traces 3 blocked 0
// check --engine explore --model tso => safe traces 3 blocked 0
// check --engine explore --model sc -DJOINS => safe traces 3 blocked 0
// check --engine brute --collect traces --model sc -DJOINS => safe traces 3 blocked 0
//
// An atomic section that touches y only if it finds x set: before the store of x it has nothing to do with who reads y.
#include <pthread.h>
#include <stdatomic.h>

#include "picket.h"

static atomic_int x, y;

static void *set(void *unused) {
    atomic_store(&x, 1);
    return unused;
}

static void *read(void *unused) {
    (void)atomic_load(&y);
    return unused;
}

static void *pass_on(void *unused) {
    picket_atomic_begin();
    if (atomic_load(&x)) {
        atomic_store(&y, 1);
    }
    picket_atomic_end();
    return unused;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, set, NULL);
    pthread_create(&threads[1], NULL, read, NULL);
#ifdef JOINS
    pthread_create(&threads[2], NULL, read, NULL);
    pthread_join(threads[2], NULL);
    pass_on(NULL);
#else
    pthread_create(&threads[2], NULL, pass_on, NULL);
    pthread_join(threads[2], NULL);
#endif
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
