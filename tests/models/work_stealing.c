// check --model sc --engine brute => safe
// check --model tso --engine brute => violation assertion:36
// check --model tso --engine brute -DFENCED => safe
// The end of a work-stealing queue with one task: owner and thief must not both take it.
#include <assert.h>
#include <pthread.h>

static int head, tail = 1, taken;

static void *owner(void *unused) {
    tail = 0;
#ifdef FENCED
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
    if (head <= 0) {
        __atomic_fetch_add(&taken, head == 0, __ATOMIC_RELAXED);
        head = 1;
    }
    return unused;
}

static void *thief(void *unused) {
    head = 1;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (tail >= 1)
        __atomic_fetch_add(&taken, 1, __ATOMIC_RELAXED);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, owner, NULL);
    pthread_create(&b, NULL, thief, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(taken <= 1); // here
    return 0;
}
