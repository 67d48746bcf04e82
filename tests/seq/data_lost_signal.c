// check --engine seq --model sc => violation deadlock
// check --engine seq --model tso => violation deadlock
// check --engine seq --model pso => violation deadlock
// check --engine seq --model sc -DALWAYS => safe assuming spurious
// check --engine seq --model tso -DALWAYS => safe assuming spurious
// check --engine seq --model pso -DALWAYS => safe assuming spurious
// check --engine explore --model sc -DALWAYS -DFEW => safe assuming spurious
// check --engine brute --model sc -DFEW => violation deadlock
// A signal that is not sent for one input.
#include <picket.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int value, full;

static void *consumer(void *unused) {
    pthread_mutex_lock(&lock);
    while (!full) {
        pthread_cond_wait(&ready, &lock);
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
#ifdef FEW
    int input = picket_nondet_int(0, 2) * 21;
#else
    int input = __VERIFIER_nondet_int();
#endif
    pthread_create(&thread, NULL, consumer, NULL);
    pthread_mutex_lock(&lock);
    value = input;
    full = 1;
    pthread_mutex_unlock(&lock);
#ifdef ALWAYS
    pthread_cond_signal(&ready);
#else
    if (value != 42) {
        pthread_cond_signal(&ready);
    }
#endif
    pthread_join(thread, NULL);
}
