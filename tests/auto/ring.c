// A ring of one slot whose both sides count how often they try: no bound on the loops is in the program, so `explore`
// alone never answers.
// check --engine auto => safe
// check --engine auto -DBROKEN => violation assertion
// check --engine auto --unroll 2 => safe within bounds
// check --engine explore --timeout 0.5 => undecided
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int slot;
static atomic_int filled;
static _Thread_local int tries;

static int push(int value) {
    if (atomic_load(&filled)) {
        return 0;
    }
#ifdef BROKEN
    atomic_store(&filled, 1);
    slot = value;
#else
    slot = value;
    atomic_store(&filled, 1);
#endif
    return 1;
}

static int pop(int expected) {
    if (!atomic_load(&filled)) {
        return 0;
    }
    assert(slot == expected);
    atomic_store(&filled, 0);
    return 1;
}

static void *producer(void *unused) {
    for (int i = 1; i <= 2; i++) {
        while (!push(i)) {
            tries = !tries;
        }
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, producer, NULL);
    for (int i = 1; i <= 2; i++) {
        while (!pop(i)) {
            tries = !tries;
        }
    }
    pthread_join(thread, NULL);
    return 0;
}
