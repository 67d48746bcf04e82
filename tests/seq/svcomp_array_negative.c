// check --engine seq --model sc => violation out-of-bounds:15
// check --engine seq --model tso => violation out-of-bounds:15
// check --engine seq --model pso => violation out-of-bounds:15
// A store at an input that may be negative
#include <pthread.h>

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static int numbers[8];
static int index;

static void *work(void *unused) {
    numbers[index] = 5;
    return unused;
}

int main(void) {
    pthread_t thread;
    index = __VERIFIER_nondet_int();
    __VERIFIER_assume(index > -100 && index < 8); /* farther away there may be another object */
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
