// check --engine seq --model sc => safe
// check --engine seq --model tso => safe
// check --engine seq --model pso => safe
// SV-COMP's fib_bench: two threads add to each other's number
#include <pthread.h>

extern void reach_error(void);

#define ROUNDS 3
static int i = 1, j = 1;

static void *first(void *unused) {
    for (int k = 0; k < ROUNDS; k++) {
        i += j;
    }
    return unused;
}

static void *second(void *unused) {
    for (int k = 0; k < ROUNDS; k++) {
        j += i;
    }
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    if (i > 21 || j > 21) {
        reach_error();
    }
    return 0;
}
