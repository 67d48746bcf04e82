// prove => output "the abstracted program gains no state by the store buffer"
// prove -DASSERTED => safe
// prove -DASSERTED => output "safe under TSO: 1 assertion holds"
// prove -DPLAIN => output "the store buffer adds no state, for these threads"
// prove -DPLAIN => output "continues to wait (idle)"
// prove -DPLAIN -DASSERTED => safe
// prove -DPLAIN -DWRITES => undecided
// check --model sc -DASSERTED --check claims => safe
/* Fig. 6 of the paper.  The store to x is followed by a load of y, which does not move; but it moves past the load of x
 * if that may also return 0, with which the thread continues to wait.  As it is written (PLAIN) this is found, and that
 * nothing happens but waiting.  With WRITES the loop stores, so that more iterations are noticed: nothing follows then.
 */
#include <picket.h>
#include <pthread.h>

static int x;
static int y;
static int seen;
#ifdef WRITES
static int turns;
#endif

static void *foo(void *argument) {
    (void)argument;
    x = 1;
    seen = y;
    return NULL;
}

static void *bar(void *argument) {
    int r;
    (void)argument;
    do {
#ifdef WRITES
        turns = turns + 1;
#endif
        r = x;
#ifndef PLAIN
        picket_reads(r, r == x || r == 0);
#endif
    } while (r == 0);
#ifdef ASSERTED
    picket_assert(r == 1);
#endif
    y = 1;
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_t other;
    pthread_create(&one, NULL, foo, NULL);
    pthread_create(&other, NULL, bar, NULL);
    return 0;
}
