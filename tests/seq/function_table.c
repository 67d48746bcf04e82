// A table of functions: the last address of a variable's initial value counts like the others.
//
// check --engine seq --model sc => safe
// check --engine seq --model tso -DWRONG => violation assertion:34
// check --engine lazy => safe
// check --engine lazy -DWRONG => violation assertion:34
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int add(int a, int b) {
    return a + b;
}

static int subtract(int a, int b) {
    return a - b;
}

static int (*const table[])(int, int) = {add, subtract};
static int results[2];

static void *compute(void *argument) {
    for (int i = 0; i < 2; i++) {
        results[i] = table[i](5, 3);
    }
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, compute, NULL);
    pthread_join(thread, NULL);
#ifdef WRONG
    assert(results[1] == 8);
#else
    assert(results[0] == 8 && results[1] == 2);
#endif
    return 0;
}
