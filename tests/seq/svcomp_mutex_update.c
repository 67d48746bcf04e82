// check --engine seq --model sc => safe
// check --engine seq --model tso => safe
// check --engine seq --model pso => safe
// Two additions of inputs under a mutex
#include <pthread.h>

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static unsigned sum, a, b;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *unused) {
    a = (unsigned)__VERIFIER_nondet_int();
    pthread_mutex_lock(&lock);
    sum += a;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *second(void *unused) {
    b = (unsigned)__VERIFIER_nondet_int();
    pthread_mutex_lock(&lock);
    sum += b;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    if (!(sum == a + b)) {
        reach_error();
    }
    return 0;
}
