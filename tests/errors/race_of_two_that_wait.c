// check --engine explore --check races --model sc => violation race:15
// check --engine explore --check races --model tso => violation race:15
// check --engine brute --check races --model tso => violation race:15
// check --engine explore --model tso => safe
//
// Two loops wait for each other for ever: the one with exchanges that change nothing, which are writes all the same,
// the other with reads that are not atomic.
#include <pthread.h>

static int y;

static void *look(void *argument) {
    int seen;
    do {
        seen = y;
    } while (seen != 2);
    return argument;
}

static void *exchange(void *argument) {
    while (__atomic_exchange_n(&y, 0, __ATOMIC_SEQ_CST) == 0) {
    }
    return argument;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, look, 0);
    pthread_create(&threads[1], 0, exchange, 0);
    pthread_exit(0);
}
