// check --model sc --engine brute => safe
// check --model tso --engine brute => safe
// check --model pso --engine brute => safe
// check --model tso --engine brute -DPLAIN_UNLOCK => safe
// check --model pso --engine brute -DPLAIN_UNLOCK => violation assertion:16
// A test-and-set lock: the plain store that unlocks it is enough under TSO, but not under PSO.
#include <assert.h>
#include <pthread.h>

static int lock, inside;

static void *run(void *unused) {
    while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
        ;
    inside++;
    assert(inside == 1); // here
    inside--;
#ifdef PLAIN_UNLOCK
    lock = 0;
#else
    __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
#endif
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, run, NULL);
    pthread_create(&b, NULL, run, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
