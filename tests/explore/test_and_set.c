// check --engine explore --model sc => safe traces 90 blocked 0
// check --engine explore --model tso => safe traces 90 blocked 0
// check --engine explore --model pso => safe traces 90 blocked 0
// check --engine explore --dpor source --model tso => safe traces 90 blocked 0
// check --engine explore --model tso -j 2 => safe traces 90 blocked 0
// check --engine explore --model tso -DNEVER_FREE => violation deadlock:20
//
// A lock that is spun on with test-and-set: taking it while it is taken changes nothing and is only a look, so there is
// one behaviour for each order in which three threads take it twice: 6! / (2! 2! 2!).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 3, ROUNDS = 2 };

static atomic_flag taken = ATOMIC_FLAG_INIT;
static int counter;

static void lock(void) {
    while (atomic_flag_test_and_set(&taken)) {
    }
}

static void *count(void *argument) {
    for (int i = 0; i < ROUNDS; i++) {
        lock();
        counter++;
#ifndef NEVER_FREE
        atomic_flag_clear(&taken);
#endif
    }
    return argument;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], 0, count, 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], 0);
    }
    assert(counter == THREADS * ROUNDS);
}
