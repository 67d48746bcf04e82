// check --model sc --engine brute => violation dangling-pointer:13
#include <pthread.h>
#include <stdlib.h>

static int *shared;

static void *release(void *unused) {
    free(shared);
    return unused;
}

static void *use(void *unused) {
    *shared = 1; // here
    return unused;
}

int main(void) {
    shared = malloc(sizeof *shared);
    pthread_t a, b;
    pthread_create(&a, NULL, release, NULL);
    pthread_create(&b, NULL, use, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
