// check --engine seq --model sc => safe
// check --engine seq --model tso => violation reach_error
// check --engine seq --model pso => violation reach_error
// Store buffering
#include <pthread.h>

extern void reach_error(void);
static int x, y, a, b;

static void *first(void *unused) {
    x = 1;
    a = y;
    return unused;
}

static void *second(void *unused) {
    y = 1;
    b = x;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    if (!(a || b)) {
        reach_error();
    }
    return 0;
}
