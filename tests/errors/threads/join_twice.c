// check --check no-misuse --model sc --engine brute => safe
// Joining a thread again, or one that is detached, fails.
#include <assert.h>
#include <pthread.h>

static void *run(void *unused) {
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    assert(pthread_join(t, NULL) == 0);
    pthread_create(&t, NULL, run, NULL);
    assert(pthread_detach(t) == 0);
    assert(pthread_join(t, NULL) != 0);
    return 0;
}
