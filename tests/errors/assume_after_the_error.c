// check --engine explore --model sc => violation assertion:35
// check --engine explore --model tso => violation assertion:35
// check --engine brute --model tso => violation assertion:35
// check --engine reach --model sc => violation assertion:35
// check --engine reach --model tso => violation assertion:35
// check --engine lazy --model tso => violation assertion:35
// check --engine rounds => violation assertion:35
// check --engine explore --model tso -DSECTION => undecided
// check --engine brute --model tso -DSECTION => undecided
// check --engine reach --model sc -DSECTION => undecided
//
// An assumption that fails does not undo what others may have done before it failed: between the store and the
// assumption there is time enough for an error.  Not in an atomic section, where no thread has come in between: there
// every execution fails it.
#include <assert.h>
#include <picket.h>
#include <pthread.h>

static int x;

static void *store(void *argument) {
#ifdef SECTION
    picket_atomic_begin();
#endif
    x = 1;
    picket_assume(0);
    x = 0;
#ifdef SECTION
    picket_atomic_end();
#endif
    return argument;
}

static void *look(void *argument) {
    assert(x == 0);
    return argument;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, store, 0);
    pthread_create(&threads[1], 0, look, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
}
