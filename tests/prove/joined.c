// prove => output "the store buffer adds no state; 4 assertions hold, for these threads"
// prove => output "that no deadlock is reachable is not proved"
// prove -DEARLY => violation assertion:24
// prove -DTWICE => violation bad-join
/* A thread that has joined another one knows what that thread knew when it ended, and that it takes no more steps.  The
 * output says that no other engine has decided it. */
#include <picket.h>
#include <pthread.h>

static int x, y, a, b;

static void *one(void *argument) {
    x = 1;
    a = 1;
    return argument;
}

static void *two(void *argument) {
    y = 1;
    picket_fence();
    b = x;
#ifdef EARLY
    b = 2;
    picket_assert(x == 1);
#endif
    return argument;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, one, NULL);
    pthread_create(&threads[1], NULL, two, NULL);
    pthread_join(threads[0], NULL);
    picket_assert(x == 1);
#ifdef TWICE
    pthread_join(threads[0], NULL);
#endif
    pthread_join(threads[1], NULL);
    picket_assert(y == 1);
    return 0;
}
