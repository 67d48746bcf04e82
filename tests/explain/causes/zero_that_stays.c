// The value is the initial one, and no thread would have changed it.
// check --model sc => violation assertion:15 because nothing
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int data;
static int other;
static void *writer(void *unused) {
    other = 42;
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    assert(data == 42);
    pthread_join(thread, NULL);
    return other;
}
