/* A lock that looks before it takes, and what comes of it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int locked;
static int counter;
static void *work(void *unused) {
    while (atomic_load(&locked)) {
    }
    atomic_store(&locked, 1);
    counter++;
    atomic_store(&locked, 0);
    return unused;
}
int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(counter == 2);
    return 0;
}
