// check --engine seq --model sc => violation reach_error
// check --engine seq --model tso => violation reach_error
// check --engine seq --model pso => violation reach_error
// check --engine seq --unroll 3 => safe within bounds
// The sum of inputs in a loop without a bound becomes 100
#include <pthread.h>

extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static int sum;

static void *add(void *unused) {
    while (sum < 200) {
        int item = __VERIFIER_nondet_uchar() & 15;
        if (item == 0) {
            break;
        }
        sum += item;
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    pthread_join(thread, NULL);
    if (sum == 100) {
        reach_error();
    }
    return 0;
}
