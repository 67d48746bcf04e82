// prove => safe
// prove => output "safe under TSO: 2 assertions hold, for any number of threads"
// prove => output "the load of x, which may return any number from 0 to what is there"
// prove -DBOTH => violation assertion
/* Two abstractions help, each alone: that of the load of y, with which its assertion does not follow, and that of the
 * load of x, with which both assertions do.  With BOTH the assertions are about both loads, and false under TSO. */
#include <picket.h>
#include <pthread.h>

static int x = 2;
static int y = 2;
#ifdef BOTH
static int seen = 9;
#endif

static void *first(void *argument) {
    x = 3;
    int r = y;
#ifdef BOTH
    seen = r;
#endif
    picket_assert(r >= 2);
    return argument;
}

static void *second(void *argument) {
    y = 3;
#ifdef BOTH
    picket_fence();
    int s = x;
    picket_assert(s == 3 || seen != 2);
#endif
    return argument;
}

static void *third(void *argument) {
    int s = x;
    picket_assert(s <= 3);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, first, NULL);
    pthread_create(&thread, NULL, second, NULL);
    picket_any_number(third, NULL);
    return 0;
}
