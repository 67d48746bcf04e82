// check --engine seq --model sc => safe
// check --engine seq --model tso => safe
// check --engine seq --model pso => safe
// A recursive function on an input of at most 5
#include <pthread.h>

extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

static unsigned result, input;

static unsigned sum_to(unsigned number) {
    return number == 0 ? 0 : number + sum_to(number - 1);
}

static void *work(void *unused) {
    result = sum_to(input);
    return unused;
}

int main(void) {
    pthread_t thread;
    input = __VERIFIER_nondet_uint();
    __VERIFIER_assume(input <= 5);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    if (2 * result != input * (input + 1)) {
        reach_error();
    }
    return 0;
}
