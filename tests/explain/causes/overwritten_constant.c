// Two threads write constants: no value that was read is written back.
// check --model sc => violation assertion:16 because nothing
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int last;
static void *set(void *unused) {
    last = 1;
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, set, NULL);
    last = 2;
    pthread_join(thread, NULL);
    assert(last == 1);
    return 0;
}
