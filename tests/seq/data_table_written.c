// check --engine seq --model sc => safe
// check --engine seq --model tso => safe
// check --engine seq --model pso => safe
// check --engine seq --model sc -DWRONG => violation assertion:37
// check --engine seq --model tso -DWRONG => violation assertion:37
// check --engine seq --model pso -DWRONG => violation assertion:37
// Two threads write a table at any two indices; entries in between stay as they were.
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

static char table[100];

static void *write_at(void *index) {
    table[(unsigned long)index] = 1;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    unsigned i = __VERIFIER_nondet_uint();
    unsigned k = __VERIFIER_nondet_uint();
    unsigned m = __VERIFIER_nondet_uint();
    __VERIFIER_assume(i < 100 && k < 100 && m < 100);
#ifdef WRONG
    __VERIFIER_assume(i != m);
#else
    __VERIFIER_assume(i < m && m < k);
#endif
    pthread_create(&threads[0], NULL, write_at, (void *)(unsigned long)i);
    pthread_create(&threads[1], NULL, write_at, (void *)(unsigned long)k);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(table[i] == 1 && table[k] == 1);
    assert(table[m] == 0);
}
