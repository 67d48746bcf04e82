// check --engine seq --model sc => safe
// check --engine seq --model tso => safe
// check --engine seq --model pso => safe
// check --engine seq --model sc -DWRONG => violation assertion:35
// check --engine seq --model tso -DWRONG => violation assertion:35
// check --engine seq --model pso -DWRONG => violation assertion:35
// check --engine explore --model pso => safe
// Ten alternations of two awaits.
#include <assert.h>
#include <pthread.h>

static volatile int turn, count;

static void *other(void *unused) {
    for (int i = 0; i < 10; i++) {
        while (turn != 2 * i + 1) {
        }
        count++;
        __atomic_store_n(&turn, 2 * i + 2, __ATOMIC_RELEASE);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    for (int i = 0; i < 10; i++) {
        while (turn != 2 * i) {
        }
        count++;
        __atomic_store_n(&turn, 2 * i + 1, __ATOMIC_RELEASE);
    }
    pthread_join(thread, NULL);
#ifdef WRONG
    assert(count != 20);
#else
    assert(count == 20);
#endif
}
