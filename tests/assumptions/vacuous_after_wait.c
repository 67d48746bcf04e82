// check --model sc --engine brute => undecided
// check --model sc --engine seq => undecided
// check --model tso --engine seq => undecided
// check --model pso --engine seq => undecided
// check --model tso --engine seq -DSTUCK => violation deadlock:21
// Every execution fails the assumption. One in which main still waits for a thread that will end has not come to its
// end.
#include <pthread.h>

extern void __VERIFIER_assume(int);
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *other(void *unused) {
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
#ifdef STUCK
    pthread_mutex_lock(&mutex), pthread_mutex_lock(&mutex);
#endif
    pthread_join(thread, NULL);
    __VERIFIER_assume(0);
    return 0;
}
