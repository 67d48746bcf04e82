// prove => safe
// prove -DAGAIN => safe
/* Message passing, Fig. 1 of the paper: no load follows a store.  With AGAIN any number of threads send and receive. */
#include <picket.h>
#include <pthread.h>

static int x;
static int y;
static int received;

static void *send(void *argument) {
    (void)argument;
    y = 42;
    x = 1;
    return NULL;
}

static void *receive(void *argument) {
    (void)argument;
    while (x == 0) {
    }
    received = y;
    return NULL;
}

int main(void) {
#ifdef AGAIN
    picket_any_number(send, NULL);
    picket_any_number(receive, NULL);
#else
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, send, NULL);
    pthread_create(&threads[1], NULL, receive, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
#endif
    return 0;
}
