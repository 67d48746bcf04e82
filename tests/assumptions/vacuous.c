// check --engine explore => undecided
// check --engine reach => undecided
// check --engine brute => undecided
// check --engine lazy => undecided
// check --engine seq => undecided
// check --engine explore --model sc => undecided
// check --engine explore -DSOMETIMES => safe
// check --engine reach -DSOMETIMES => safe
// check --engine brute -DSOMETIMES => safe
// check --engine lazy -DSOMETIMES => safe
// check --engine seq -DSOMETIMES => safe
// check --engine reach -DFOR_EVER => safe
// check --engine explore -DBLOCKED => violation deadlock
// robust => safe
// A program in which every execution fails an assumption proves nothing; one that runs for ever does not fail it.
#include <pthread.h>

extern void __VERIFIER_assume(int);
extern _Bool __VERIFIER_nondet_bool(void);

static int x;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *store(void *unused) {
    x = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, store, NULL);
#ifdef SOMETIMES
    __VERIFIER_assume(x == 1);
#elif defined FOR_EVER
    for (;;) {
        __VERIFIER_assume(__VERIFIER_nondet_bool());
    }
#elif defined BLOCKED
    pthread_mutex_lock(&mutex);
    if (x == 1) {
        pthread_mutex_lock(&mutex);
    }
    __VERIFIER_assume(x == 7);
#else
    __VERIFIER_assume(x == 7);
#endif
    pthread_join(thread, NULL);
    return 0;
}
