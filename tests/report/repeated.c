/* The same line, with the same values, many times. */
#include <assert.h>
#include <pthread.h>
static volatile int word;
static int done;
static void *writer(void *unused) {
    for (int i = 0; i < 12; i++) {
        word = 5;
    }
    done = 1;
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    pthread_join(t, 0);
    assert(!done);
    return 0;
}
