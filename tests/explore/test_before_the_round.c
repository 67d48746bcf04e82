// check --engine explore --model sc => safe traces 12 blocked 0
// check --engine explore --model tso => safe traces 12 blocked 0
// check --engine brute --collect traces --model tso => safe traces 12 blocked 0
// check --engine reach --model sc => safe
// check --engine explore --model tso -DNEVER => violation deadlock:40
// run => native
//
// Loops that test what the iteration before has read, and read again at their end: they wait like those that read
// first, also when they are entered again with nothing but reads in between.  Either thread is the first; the other one
// finds the lock free, or waits; and the first one reads 1 and 1, 1 and 2, or 2 and 2 then.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint ticket;
static atomic_uint served;
static int counter;

static void lock(void) {
    unsigned mine = atomic_fetch_add(&ticket, 1);
    unsigned seen = atomic_load(&served);
    while (seen != mine) {
        seen = atomic_load(&served);
    }
}

static void unlock(void) {
#ifndef NEVER
    atomic_store(&served, atomic_load(&served) + 1);
#endif
}

static void *count(void *argument) {
    lock();
    counter++;
    unlock();
    for (int i = 0; i < 2; i++) {
        unsigned seen = atomic_load_explicit(&served, memory_order_relaxed);
        while (seen == 0) {
            seen = atomic_load_explicit(&served, memory_order_relaxed);
        }
    }
    return argument;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], 0, count, 0);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], 0);
    }
    assert(counter == 2);
}
