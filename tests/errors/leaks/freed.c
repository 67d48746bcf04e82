// check --model sc --engine brute --check leaks => safe assuming malloc
#include <pthread.h>
#include <stdlib.h>

static void *run(void *argument) {
    free(argument);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, run, malloc(5));
    pthread_join(t, NULL);
    return 0;
}
