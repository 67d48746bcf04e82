/* main reads while the other thread writes. */
#include <pthread.h>
static int shared;
static void *other(void *unused) {
    shared = 1;
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    int seen = shared;
    pthread_join(thread, 0);
    return seen;
}
