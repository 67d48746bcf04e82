// check --engine seq --model sc => safe
// check --engine seq --model tso => safe
// check --engine seq --model pso => safe
// A writer of two inputs, and a reader that must see both or none
#include <pthread.h>

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int a, b;

static void *writer(void *unused) {
    int value = __VERIFIER_nondet_int();
    pthread_rwlock_wrlock(&lock);
    a = value;
    b = ~value;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    b = ~0;
    pthread_create(&thread, NULL, writer, NULL);
    pthread_rwlock_rdlock(&lock);
    if (a != ~b) {
        reach_error();
    }
    pthread_rwlock_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
