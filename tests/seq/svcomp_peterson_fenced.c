// check --engine seq --model sc => safe
// check --engine seq --model tso => safe
// check --engine seq --model pso => violation reach_error
// check --engine explore --model pso => violation reach_error
// Peterson's lock, entered once by each of two threads, with fences: under PSO the store that leaves overtakes the one
// inside
#include <pthread.h>

extern void reach_error(void);
extern void __VERIFIER_atomic_begin(void);

static int wants[2], turn, inside;

static void critical(int me) {
    wants[me] = 1;
    __sync_synchronize();
    turn = !me;
    __sync_synchronize();
    while (wants[!me] && turn == !me) {
    }
    inside = me;
    if (inside != me) {
        reach_error();
    }
    wants[me] = 0;
}

static void *other(void *unused) {
    critical(1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    critical(0);
    pthread_join(thread, NULL);
    return 0;
}
