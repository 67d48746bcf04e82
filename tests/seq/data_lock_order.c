// check --engine seq --model sc => violation deadlock
// check --engine seq --model tso => violation deadlock
// check --engine seq --model pso => violation deadlock
// check --engine seq --model sc -DORDERED => safe
// check --engine seq --model tso -DORDERED => safe
// check --engine seq --model pso -DORDERED => safe
// The order of locks depends on an input: two threads take them in opposite order for one value.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int input;

static void take(int first) {
    pthread_mutex_lock(&locks[first]);
    pthread_mutex_lock(&locks[!first]);
    pthread_mutex_unlock(&locks[!first]);
    pthread_mutex_unlock(&locks[first]);
}

static void *other(void *unused) {
    take(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    input = __VERIFIER_nondet_int();
    pthread_create(&thread, NULL, other, NULL);
#ifdef ORDERED
    take((input & 1) == 2);
#else
    take(input == 123456789);
#endif
    pthread_join(thread, NULL);
}
