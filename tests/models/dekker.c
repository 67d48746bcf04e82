// check --model sc --engine brute => safe
// check --model tso --engine brute => violation assertion:34
// check --model pso --engine brute => violation assertion:34
// check --model tso --engine brute -DFENCED => safe
// check --model pso --engine brute -DFENCED => safe
// check --model tso --engine random --runs 1000 => violation assertion:34
// check --model tso --engine random --runs 100 -DFENCED => undecided
// Dekker's algorithm for two threads.
#include <assert.h>
#include <pthread.h>

#ifdef FENCED
#define FENCE() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#else
#define FENCE() (void)0
#endif

static int wants[2], turn, inside;

static void *run(void *argument) {
    int me = *(int *)argument, other = 1 - me;
    wants[me] = 1;
    FENCE();
    while (wants[other]) {
        if (turn != me) {
            wants[me] = 0;
            while (turn != me)
                ;
            wants[me] = 1;
            FENCE();
        }
    }
    inside++;
    assert(inside == 1); // here
    inside--;
    FENCE();
    turn = other;
    FENCE();
    wants[me] = 0;
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
