/* Two threads that wait for each other in loops. */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int a, b;
static void *one(void *unused) {
    while (!atomic_load(&b)) {
    }
    atomic_store(&a, 1);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, one, NULL);
    while (!atomic_load(&a)) {
    }
    atomic_store(&b, 1);
    pthread_join(thread, NULL);
    return 0;
}
