// check --check races --engine explore --model sc => violation race:13
// check --check races --engine explore --model tso => violation race:13
// check --check races --engine brute --model sc => violation race:13
//
// The compare-and-swap of a waiting loop comes after the store that it waits for, and does not race with the load
// before that, which it leaves alone until then; but it has read x all the time.
#include <pthread.h>

static int x;

static void *store(void *unused) {
    int seen = x;
    x = seen + 1;
    return unused;
}

static void *wait(void *unused) {
    int expected;
    do {
        expected = 1;
    } while (!__atomic_compare_exchange_n(&x, &expected, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, store, NULL);
    pthread_create(&threads[1], NULL, wait, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
