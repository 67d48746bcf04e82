// check --model sc --engine brute => safe
// check --model tso --engine brute => safe
// check --model pso --engine brute => violation assertion:20
// Double-checked initialisation without barriers: right under TSO, wrong under PSO.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready, value;

static void *run(void *unused) {
    if (!ready) {
        pthread_mutex_lock(&lock);
        if (!ready) {
            value = 42;
            ready = 1;
        }
        pthread_mutex_unlock(&lock);
    }
    assert(value == 42); // here
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, run, NULL);
    pthread_create(&b, NULL, run, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
