// check --engine explore --model sc => safe traces 6 blocked 0
// check --engine explore --model tso => safe traces 6 blocked 0
// check --engine explore --model pso => safe traces 6 blocked 0
// check --engine brute --collect traces --model tso => safe traces 6 blocked 0
//
// A load that its own store has served early comes before an atomic section that overwrites the store, also when the
// section is brought before who reads y.
#include <pthread.h>

#include "picket.h"

static int x, y;

static void *read(void *unused) {
    (void)__atomic_load_n(&y, __ATOMIC_RELAXED);
    return unused;
}

static void *store_and_load(void *unused) {
    __atomic_store_n(&x, 1, __ATOMIC_RELAXED);
    (void)__atomic_load_n(&x, __ATOMIC_RELAXED);
    return unused;
}

static void *store_both(void *unused) {
    picket_atomic_begin();
    __atomic_store_n(&y, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&x, 2, __ATOMIC_RELAXED);
    picket_atomic_end();
    return unused;
}

int main(void) {
    pthread_t threads[3];
    picket_atomic_begin();
    pthread_create(&threads[0], NULL, read, NULL);
    pthread_create(&threads[1], NULL, store_and_load, NULL);
    pthread_create(&threads[2], NULL, store_both, NULL);
    picket_atomic_end();
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
    return 0;
}
