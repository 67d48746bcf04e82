/* A server that never ends, with a counter that never comes back: no engine has a last word, whatever time it gets. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_ullong handled, asked;

static void *client(void *unused) {
    for (;;) {
        atomic_fetch_add(&asked, 1);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, client, NULL);
    for (;;) {
        if (atomic_load(&asked) > atomic_load(&handled)) {
            atomic_fetch_add(&handled, 1);
            assert(atomic_load(&asked) >= atomic_load(&handled));
        }
    }
}
