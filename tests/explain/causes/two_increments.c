// Two increments of one counter.
// check --model sc => violation assertion:16 because lost update
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int counter;
static void *count(void *unused) {
    counter++;
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, count, NULL);
    counter++;
    pthread_join(thread, NULL);
    assert(counter == 2);
    return 0;
}
