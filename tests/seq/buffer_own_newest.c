// check --engine seq --model sc => violation assertion:37
// check --engine seq --model tso => violation assertion:37
// check --engine seq --model pso => violation assertion:37
// check --engine seq --model tso -DOWN => safe
// check --engine seq --model pso -DOWN => safe
// check --engine brute --model pso -DOWN => safe
// A thread reads its own newest store although another thread's has landed after it was issued; once it has drained
// before the other's, it reads the other's.
#include <assert.h>
#include <picket.h>
#include <pthread.h>

static int x, done;

static void *other(void *unused) {
    x = 7;
    picket_fence();
    done = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    x = 1;
    x = 2;
    int first = x;
#ifdef OWN
    assert(first == 2 || first == 7);
    assert(x != 1 && x != 0);
    if (first == 7) {
        assert(x == 7);
    }
#else
    (void)first;
    int landed = done;
    assert(!landed || x == 7);
#endif
    pthread_join(thread, NULL);
}
