// check --model sc --engine seq => violation deadlock
// check --model sc --engine brute => violation deadlock
// Main was created by no thread, and can be joined all the same: three threads wait for each other in a ring.
#include <pthread.h>

static pthread_t first, second, third;

static void *join_first(void *unused) {
    pthread_join(first, NULL);
    return unused;
}

static void *join_third(void *unused) {
    pthread_create(&third, NULL, join_first, NULL);
    pthread_join(third, NULL);
    return unused;
}

int main(void) {
    first = pthread_self();
    pthread_create(&second, NULL, join_third, NULL);
    pthread_join(second, NULL);
    return 0;
}
