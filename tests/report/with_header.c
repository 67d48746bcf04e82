/* Rows of lines of another file name it. */
#include "increment.h"
#include <assert.h>
#include <pthread.h>
static int count;
static void *run(void *unused) {
    increment(&count);
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    increment(&count);
    pthread_join(t, 0);
    assert(count == 2);
    return 0;
}
