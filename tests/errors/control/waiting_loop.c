// check --model sc --engine brute => safe
// check --model tso --engine brute => safe
// A loop that waits for another thread is not endless.
#include <assert.h>
#include <pthread.h>

static volatile int ready;
static int value;

static void *run(void *unused) {
    value = 3;
    ready = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    while (!ready)
        ;
    assert(value == 3);
    pthread_join(t, NULL);
    return 0;
}
