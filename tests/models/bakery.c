// check --model sc --engine brute => safe
// check --model tso --engine brute => violation assertion:34
// check --model tso --engine brute -DFENCED => safe
// check --model pso --engine brute -DFENCED => safe
// Lamport's bakery for two threads.
#include <assert.h>
#include <pthread.h>

#ifdef FENCED
#define FENCE() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#else
#define FENCE() (void)0
#endif

static int choosing[2], number[2], inside;

static void *run(void *argument) {
    int me = *(int *)argument, other = 1 - me;
    choosing[me] = 1;
    FENCE();
    int mine = number[other] + 1;
    number[me] = mine;
    FENCE();
    choosing[me] = 0;
    FENCE();
    while (choosing[other])
        ;
    for (;;) {
        int theirs = number[other];
        if (theirs == 0 || theirs > mine || (theirs == mine && other > me))
            break;
    }
    inside++;
    assert(inside == 1); // here
    inside--;
    FENCE();
    number[me] = 0;
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
