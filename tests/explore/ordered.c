// check --engine explore --model sc => safe traces 6
// check --engine explore --model tso => safe traces 6
// check --engine explore --model pso => safe traces 6
// check --engine explore --dpor source --model tso => safe
//
// All shared accesses are ordered by a mutex, creation and joining: only the order of the three critical sections is
// open, under every model.
#include <assert.h>
#include <pthread.h>

#define THREADS 3

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static int order;

static void *adder(void *argument) {
    pthread_mutex_lock(&mutex);
    sum += (int)(long)argument;
    order = order * 10 + (int)(long)argument;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    sum = 1;
    for (long i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, adder, (void *)(i + 1));
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    assert(sum == 7);
    return 0;
}
