// A thread runs before main has set the pointer that it uses.
// check --model sc => violation null-pointer:10 because value read before it was set up
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int *config;
static int value = 3;
static void *worker(void *unused) {
    (void)unused;
    *config = 4;
    return NULL;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    config = &value;
    pthread_join(thread, NULL);
    return 0;
}
