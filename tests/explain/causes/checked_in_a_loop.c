// A loop that reads until the value has changed relies on what it read last.
// check --model sc => violation assertion:17 because nothing
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int go;
static void *start(void *unused) {
    __atomic_store_n(&go, 2, __ATOMIC_SEQ_CST);
    return unused;
}
int main(void) {
    pthread_t thread;
    int seen;
    pthread_create(&thread, NULL, start, NULL);
    while (!(seen = __atomic_load_n(&go, __ATOMIC_SEQ_CST))) {
    }
    assert(seen == 1);
    pthread_join(thread, NULL);
    return 0;
}
