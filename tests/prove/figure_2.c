// prove => safe
// prove -DCHANGED => violation state
/* Store buffering with fences, Fig. 2 of the paper: the load that the store may be delayed past reads what no thread
 * writes.  With CHANGED one does. */
#include <picket.h>
#include <pthread.h>

static int x;
static int y;
static int z = 5;
static int r1;
static int r2;
static int r3;

static void *foo(void *argument) {
    (void)argument;
    x = 1;
    r1 = z;
    picket_fence();
    r2 = y;
    return NULL;
}

static void *bar(void *argument) {
    (void)argument;
    y = 1;
#ifdef CHANGED
    z = 6;
#endif
    picket_fence();
    r3 = x;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, foo, NULL);
    pthread_create(&threads[1], NULL, bar, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
