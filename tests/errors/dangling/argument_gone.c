// check --model sc --engine brute => violation dangling-pointer:9
// A thread gets the address of a local whose function may return before the thread looks.
#include <pthread.h>

static pthread_t t;

static void *run(void *argument) {
    int *p = argument;
    return *p ? NULL : p; // here
}

static void start(void) {
    int local = 1;
    pthread_create(&t, NULL, run, &local);
}

int main(void) {
    start();
    pthread_join(t, NULL);
    return 0;
}
