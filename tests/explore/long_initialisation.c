// check --engine explore --model sc --memory 300 => safe traces 14 blocked 0
// check --engine explore --model tso --memory 300 => safe traces 14 blocked 0
// check --engine explore --model pso --memory 300 => safe traces 14 blocked 0
// check --engine explore --model tso -j 3 => safe traces 14 blocked 0
// robust --engine explore --model tso => safe
//
// Much is stored before there are other threads, and some when they are gone: what a thread does alone takes memory in
// proportion to its length, and nothing of it comes in another order.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { ENTRIES = 16, ROUNDS = 40000, LAST_ROUNDS = 1000 };

static int table[ENTRIES];
static atomic_int flag;

static void *work(void *argument) {
    (void)argument;
    table[7] = 5;
    flag = 1;
    return 0;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < ROUNDS; i++) {
        table[i % ENTRIES] = i;
    }
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], 0, work, 0);
    }
    if (flag) {
        assert(table[7] == 5 || table[7] == ROUNDS - ENTRIES + 7);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], 0);
    }
    for (int i = 0; i < LAST_ROUNDS; i++) {
        assert(table[i % ENTRIES] > 0);
        table[i % ENTRIES] = i + 1;
    }
}
