// check --engine explore --thread-depth 4 => undecided
// check --engine reach --thread-depth 4 => undecided
// check --engine lazy --thread-depth 4 => undecided
// check --engine brute --thread-depth 4 => undecided
// check --engine seq --thread-depth 4 => undecided
// check --engine rounds --thread-depth 4 => undecided
// check --engine explore --thread-depth 4 -DWRONG => violation assertion:16
// check --engine seq --thread-depth 4 -DWRONG => violation assertion:16
// check --engine rounds --thread-depth 4 -DWRONG => violation assertion:16
// Each thread creates the next and joins it: none ever reaches its end, so nothing is shown within a bound.
#include <assert.h>
#include <pthread.h>

static void *go_on(void *argument) {
#ifdef WRONG
    assert(argument != (void *)3);
#endif
    pthread_t next;
    pthread_create(&next, NULL, go_on, (char *)argument + 1);
    pthread_join(next, NULL);
    return NULL;
}

int main(void) {
    go_on((void *)1);
    return 0;
}
