// check --engine seq --model sc => violation division-by-zero
// check --engine seq --model tso => violation division-by-zero
// check --engine seq --model pso => violation division-by-zero
// A division whose divisor is checked before another thread changes it
#include <pthread.h>

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int divisor = 1, quotient;

static void *set(void *unused) {
    pthread_mutex_lock(&lock);
    divisor = __VERIFIER_nondet_int();
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *divide(void *unused) {
    if (divisor > 0) {
        quotient = 1000 / divisor;
    }
    if (quotient > 1000 || quotient < 0) {
        reach_error();
    }
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, set, NULL);
    pthread_create(&threads[1], NULL, divide, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
