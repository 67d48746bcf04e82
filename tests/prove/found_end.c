// prove -DPLAIN => output "continues to wait (idle)"
// prove -DENDS => violation state
/* Main waits until x is raised.  With ENDS it leaves instead, and its last store is not made: a value that ends the
 * thread only adds waiting to nothing, so that load must not be abstracted away. */
#include <picket.h>
#include <pthread.h>

static int x;
static int y;
static int seen;

static void *one(void *argument) {
    x = 1;
    seen = y;
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, one, NULL);
#ifdef ENDS
    y = 1;
    picket_fence();
    for (;;) {
        if (x == 0) {
            return 0;
        }
        y = 2;
    }
#else
    while (x == 0) {
    }
    y = 1;
#endif
    return 0;
}
