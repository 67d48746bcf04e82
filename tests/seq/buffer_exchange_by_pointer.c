// check --engine seq --model sc => violation assertion:27
// check --engine seq --model tso => violation assertion:27
// check --engine seq --model pso => violation assertion:27
// check --engine seq --model sc -DATOMIC => safe
// check --engine seq --model tso -DATOMIC => safe
// check --engine seq --model pso -DATOMIC => safe
// check --engine explore --model tso -DATOMIC => safe
// A lock taken by an exchange through a pointer; one that loads and then stores is no lock.
#include <assert.h>
#include <pthread.h>

static int locks[2], inside;

static int exchange(int *place, int value) {
#ifdef ATOMIC
    return __atomic_exchange_n(place, value, __ATOMIC_SEQ_CST);
#else
    int old = __atomic_load_n(place, __ATOMIC_SEQ_CST);
    __atomic_store_n(place, value, __ATOMIC_SEQ_CST);
    return old;
#endif
}

static void *enter(void *place) {
    if (exchange(place, 1) == 0) {
        int others = __atomic_fetch_add(&inside, 1, __ATOMIC_SEQ_CST);
        assert(others == 0);
        __atomic_fetch_sub(&inside, 1, __ATOMIC_SEQ_CST);
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, enter, &locks[1]);
    enter(locks + 1);
    pthread_join(thread, NULL);
}
