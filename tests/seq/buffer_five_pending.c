// check --engine seq --model sc => safe
// check --engine seq --model tso => violation assertion:34
// check --engine seq --model pso => violation assertion:34
// check --engine seq --model tso -DFENCED => safe
// check --engine seq --model pso -DFENCED => safe
// check --engine explore --model tso => violation assertion:34
// Five stores are pending at once while their thread reads what another has written.
#include <assert.h>
#include <picket.h>
#include <pthread.h>

static int a[5], flag, seen, sum;

static void *other(void *unused) {
    flag = 1;
    picket_fence();
    for (int i = 0; i < 5; i++) {
        sum += a[i];
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    for (int i = 0; i < 5; i++) {
        a[i] = 1;
    }
#ifdef FENCED
    picket_fence();
#endif
    seen = flag;
    pthread_join(thread, NULL);
    assert(seen || sum != 0);
}
