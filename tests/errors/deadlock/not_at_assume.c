// check --model sc --engine brute => undecided
// A thread that stands at a failed assume is no deadlock; as every execution ends so, nothing is decided.
#include <pthread.h>

extern void __VERIFIER_assume(int);

static int flag;

static void *run(void *unused) {
    __VERIFIER_assume(flag);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    pthread_join(t, NULL);
    return 0;
}
