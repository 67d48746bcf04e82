// A thread keeps the address of a local of a function that has returned.
// check --model sc => violation dangling-pointer:7 because use after free
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static void *use(void *given) {
    ++*(int *)given;
    return NULL;
}
static void start(pthread_t *thread) {
    int count = 0;
    pthread_create(thread, NULL, use, &count);
}
int main(void) {
    pthread_t thread;
    start(&thread);
    pthread_join(thread, NULL);
    return 0;
}
