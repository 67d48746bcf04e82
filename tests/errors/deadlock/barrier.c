// check --model sc --engine brute => violation deadlock
// Two threads at a barrier for three.
#include <pthread.h>

static pthread_barrier_t barrier;

static void *run(void *unused) {
    pthread_barrier_wait(&barrier);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_barrier_init(&barrier, NULL, 3);
    pthread_create(&t, NULL, run, NULL);
    pthread_barrier_wait(&barrier);
    pthread_join(t, NULL);
    return 0;
}
