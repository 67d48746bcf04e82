/* Message passing: under PSO the flag reaches memory before the message. */
#include <assert.h>
#include <pthread.h>
static volatile int message[2], ready;
static void *writer(void *unused) {
    message[1] = 42;
    ready = 1;
    return unused;
}
static void *reader(void *unused) {
    while (!ready) {
    }
    assert(message[1] == 42);
    return unused;
}
int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, writer, 0);
    pthread_create(&t[1], 0, reader, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
