// check --check leaks => violation leak:19
// check --check leaks --engine reach => violation leak:19
// check --check leaks --engine brute => violation leak:19
// check --check leaks --engine random --runs 20 => violation leak:19
// check --check leaks -DFREED => safe assuming malloc
// check --check leaks -DFREED --engine brute => safe assuming malloc
// Main ends by pthread_exit, and the process when its last thread does: what is not freed then is a leak.
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *block) {
#ifdef FREED
    free(block);
#endif
    return NULL;
}

int main(void) {
    void *block = malloc(8);
    pthread_t thread;
    pthread_create(&thread, NULL, worker, block);
    pthread_exit(NULL);
}
