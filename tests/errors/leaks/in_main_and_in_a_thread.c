// check --engine explore --check leaks => violation leak
// check --engine reach --check leaks => violation leak
// check --engine brute --check leaks => violation leak
// check --engine explore --check leaks -DTHREADS=3 => violation leak
// Several threads lose a block each: one of them is reported, and its execution replays.
#include <pthread.h>
#include <stdlib.h>

#ifndef THREADS
#define THREADS 1
#endif

static void *work(void *unused) {
    int *lost = malloc(sizeof *lost);
    *lost = 1;
    return unused;
}

int main(void) {
    pthread_t threads[THREADS];
    int *lost = malloc(2 * sizeof *lost);
    *lost = 2;
    for (int i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, work, NULL);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    return 0;
}
