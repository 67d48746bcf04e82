// check --model sc --engine brute => safe
// check --model tso --engine brute => violation assertion:47
// check --model tso --engine brute -DFENCED => safe
// check --model pso --engine brute -DFENCED => safe
// Lamport's fast mutual exclusion algorithm for two threads.
#include <assert.h>
#include <pthread.h>

#ifdef FENCED
#define FENCE() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#else
#define FENCE() (void)0
#endif

static int x, y, busy[3], inside;

static void *run(void *argument) {
    int me = *(int *)argument;
start:
    busy[me] = 1;
    FENCE();
    x = me;
    FENCE();
    if (y != 0) {
        busy[me] = 0;
        FENCE();
        while (y != 0)
            ;
        goto start;
    }
    y = me;
    FENCE();
    if (x != me) {
        busy[me] = 0;
        FENCE();
        while (busy[1])
            ;
        while (busy[2])
            ;
        if (y != me) {
            while (y != 0)
                ;
            goto start;
        }
    }
    inside++;
    assert(inside == 1); // here
    inside--;
    FENCE();
    y = 0;
    FENCE();
    busy[me] = 0;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    static int ids[2] = {1, 2};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, run, &ids[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
