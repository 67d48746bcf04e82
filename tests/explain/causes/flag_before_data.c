// The flag is raised before the data is there.
// check --model sc => violation assertion:18 because value read before it was set up
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static int data;
static atomic_int flag;
static void *writer(void *unused) {
    atomic_store(&flag, 1);
    data = 42;
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    if (atomic_load(&flag)) {
        assert(data == 42);
    }
    pthread_join(thread, NULL);
    return 0;
}
