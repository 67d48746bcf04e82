// Peterson's algorithm, with the fences that each model needs.
//
//     ./picket check examples/peterson.c                             wrong under TSO
//     ./picket check -DFENCED examples/peterson.c                    right under TSO
//     ./picket check --model pso -DFENCED examples/peterson.c        wrong under PSO: the two stores may change places
//     ./picket check --model pso -DFENCED -DORDERED examples/peterson.c      right under PSO
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int wants[2];
static int turn;
static int inside;

static void *enter(void *argument) {
    int me = *(int *)argument;
    int other = 1 - me;

    wants[me] = 1;
#ifdef ORDERED
    atomic_thread_fence(memory_order_release);
#endif
    turn = other;
#ifdef FENCED
    atomic_thread_fence(memory_order_seq_cst);
#endif
    while (wants[other] && turn == other) {
    }

    inside++;
    assert(inside == 1);
    inside--;

    atomic_thread_fence(memory_order_release);
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
