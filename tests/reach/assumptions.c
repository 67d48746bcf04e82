// A store after which an assumption fails is not anybody else's last moment: what they can do before it counts.
//
// check --engine reach --model tso => violation assertion:22
// check --engine reach --model pso => violation assertion:22
// check --engine brute --model tso => violation assertion:22
#include <assert.h>
#include <pthread.h>

#include "picket.h"

static volatile int x, y;

static void *gives_up(void *unused) {
    x = 1;
    picket_assume(0);
    return unused;
}

static void *fails(void *unused) {
    y = 1;
    int seen = x;
    assert(seen);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, gives_up, NULL);
    pthread_create(&threads[1], NULL, fails, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
