// check --model sc --engine brute => violation dangling-pointer:16
#include <pthread.h>

static int *shared;

static void *run(void *unused) {
    int local = 5;
    shared = &local;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    pthread_join(t, NULL);
    return *shared; // here
}
