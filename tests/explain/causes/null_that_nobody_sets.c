// A null pointer that was never anything else.
// check --model sc => violation null-pointer:9 because nothing
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int *shared;
static void *reader(void *unused) {
    (void)unused;
    *shared = 1;
    return NULL;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, reader, NULL);
    pthread_join(thread, NULL);
    return 0;
}
