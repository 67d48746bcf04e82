// check --engine seq --model sc => safe
// check --engine seq --model tso => safe
// check --engine seq --model pso => safe
// Three threads pass a token that is an input
#include <pthread.h>

extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned token, passed[3];
static int turn;

static void *pass(void *which) {
    int me = (int)(long)which;
    while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) != me) {
    }
    passed[me] = token;
    token = token + 1;
    __atomic_store_n(&turn, me + 1, __ATOMIC_RELEASE);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    unsigned first = __VERIFIER_nondet_uint();
    token = first;
    for (long i = 0; i < 3; i++) {
        pthread_create(&threads[i], NULL, pass, (void *)(2 - i));
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
    if (passed[0] != first || passed[1] != first + 1 || passed[2] != first + 2 || token != first + 3) {
        reach_error();
    }
    return 0;
}
