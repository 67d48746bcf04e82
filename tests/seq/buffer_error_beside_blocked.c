// check --engine seq --model sc => violation assertion:39
// check --engine seq --model tso => violation assertion:39
// check --engine seq --model pso => violation assertion:39
// check --engine explore --model tso => violation assertion:39
// An error of one thread while others are blocked for ever: at a lock, in an await, and at a failed assumption.
#include <assert.h>
#include <picket.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int never, x, y;

static void *at_lock(void *unused) {
    x = 1;
    pthread_mutex_lock(&lock);
    return unused;
}

static void *in_loop(void *unused) {
    while (!never) {
    }
    return unused;
}

static void *at_assumption(void *unused) {
    y = 1;
    picket_fence();
    picket_assume(never);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    pthread_mutex_lock(&lock);
    pthread_create(&threads[0], NULL, at_lock, NULL);
    pthread_create(&threads[1], NULL, in_loop, NULL);
    pthread_create(&threads[2], NULL, at_assumption, NULL);
    int both = x + y;
    assert(both < 2);
}
