// check --model sc => safe traces 3
// check --model tso => safe traces 3
// check --model pso -j 2 => safe traces 3
// check --engine brute --collect traces => safe
// check -DSEEN=1 => violation assertion:32
// check -DSEEN=0 => violation assertion:32
/* Whether a thread has ended can be asked before or after its end, and both come out.  If it has not, it is joined;
 * what it wrote is then seen before or after its write. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static int x;

static void *run(void *argument) {
    (void)argument;
    __atomic_store_n(&x, 1, __ATOMIC_RELEASE);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    int ended = pthread_tryjoin_np(thread, NULL) == 0;
    int seen = __atomic_load_n(&x, __ATOMIC_ACQUIRE);
    assert(seen || !ended);
    if (!ended) {
        pthread_join(thread, NULL);
    }
#ifdef SEEN
    assert(ended != SEEN);
#endif
    return 0;
}
