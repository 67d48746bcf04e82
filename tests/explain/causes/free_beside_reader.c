// One thread frees what another still reads.
// check --model sc => violation dangling-pointer:9 because use after free
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int *shared;
static void *reader(void *unused) {
    (void)unused;
    return *shared ? NULL : &shared;
}
int main(void) {
    pthread_t thread;
    shared = calloc(1, sizeof *shared);
    pthread_create(&thread, NULL, reader, NULL);
    free(shared);
    pthread_join(thread, NULL);
    return 0;
}
