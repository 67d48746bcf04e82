// check --engine seq --model sc => violation reach_error
// check --engine seq --model tso => violation reach_error
// check --engine seq --model pso => violation reach_error
// SV-COMP's fib_bench with a limit that is reached
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
    if (i >= 21 || j >= 21) {
        reach_error();
    }
    return 0;
}
