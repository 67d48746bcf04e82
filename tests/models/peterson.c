// check --model sc --engine brute => safe
// check --model tso --engine brute => violation assertion:25
// check --model tso --engine brute -DFENCED => safe
// check --model pso --engine brute -DFENCED => violation assertion:25
// check --model pso --engine brute -DFENCED -DBARRIER => safe
// Peterson's algorithm: TSO needs a fence before the first load; PSO also needs the two stores kept in order.
#include <assert.h>
#include <pthread.h>

static int wants[2], turn, inside;

static void *run(void *argument) {
    int me = *(int *)argument, other = 1 - me;
    wants[me] = 1;
#ifdef BARRIER
    __atomic_thread_fence(__ATOMIC_RELEASE);
#endif
    turn = other;
#ifdef FENCED
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
    while (wants[other] && turn == other)
        ;
    inside++;
    assert(inside == 1); // here
    inside--;
    __atomic_store_n(&wants[me], 0, __ATOMIC_RELEASE);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    static int ids[2] = {0, 1};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, run, &ids[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
