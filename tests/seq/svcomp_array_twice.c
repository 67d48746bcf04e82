// check --engine seq --model sc => violation reach_error
// check --engine seq --model tso => violation reach_error
// check --engine seq --model pso => violation reach_error
// Two stores: for one input they meet
#include <pthread.h>

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static int numbers[8];
static int index;

static void *work(void *unused) {
    numbers[index] = 3;
    numbers[7 - index / 2] = 2;
    return unused;
}

int main(void) {
    pthread_t thread;
    index = __VERIFIER_nondet_int();
    __VERIFIER_assume(index >= 0 && index < 8);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    int sum = 0;
    for (int i = 0; i < 8; i++) {
        sum += numbers[i];
    }
    if (sum != 5) {
        reach_error();
    }
    return 0;
}
