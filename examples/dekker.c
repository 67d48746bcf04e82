// Dekker's algorithm: two threads share a critical section without any lock instruction.
//
//     ./picket check examples/dekker.c               wrong under TSO: both threads may enter
//     ./picket check --model sc examples/dekker.c    right under sequential consistency
//     ./picket check -DFENCED examples/dekker.c      right under TSO again
//
// Each thread announces that it wants to enter and then reads what the other one wants. On a machine with store buffers
// the first store may still be on its way to memory when the thread reads, so that both see no other.
#include <assert.h>
#include <pthread.h>

#ifdef FENCED
#define FENCE() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#else
#define FENCE()
#endif

static int wants[2];
static int turn;
static int inside;

static void *enter(void *argument) {
    int me = *(int *)argument;
    int other = 1 - me;

    wants[me] = 1;
    FENCE();
    while (wants[other]) {
        if (turn != me) {
            wants[me] = 0;
            while (turn != me) {
            }
            wants[me] = 1;
            FENCE();
        }
    }

    inside++;
    assert(inside == 1);
    inside--;

    turn = other;
    wants[me] = 0;
    return NULL;
}

int main(void) {
    static int names[2] = {0, 1};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, enter, &names[i]);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    return 0;
}
