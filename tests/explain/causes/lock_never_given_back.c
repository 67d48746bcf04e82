// A lock that its holder never releases: there is no cycle of waiting threads.
// check --model sc => violation deadlock:15 because nothing
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static void *keep(void *unused) {
    pthread_mutex_lock(&a);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, keep, NULL);
    pthread_join(thread, NULL);
    pthread_mutex_lock(&a);
    return 0;
}
