// check --engine seq --model sc => safe assuming spurious
// check --engine seq --model tso => safe assuming spurious
// check --engine seq --model pso => safe assuming spurious
// The same with a broadcast and without a loop
#include <pthread.h>

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready, value;

static void *producer(void *unused) {
    pthread_mutex_lock(&lock);
    value = __VERIFIER_nondet_int() | 1;
    ready = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, producer, NULL);
    pthread_mutex_lock(&lock);
    if (!ready) {
        pthread_cond_wait(&changed, &lock);
    }
    if (value % 2 == 0) {
        reach_error();
    }
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
