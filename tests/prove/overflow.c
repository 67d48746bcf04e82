// prove => safe within bounds
// prove => output "overflow.c:20) does not overflow"
// prove -DLIMITED => safe
// check --model sc --check claims => safe
/* A counter never becomes negative, unless it overflows: the proof assumes that it does not, and says so.  With LIMITED
 * there is nothing to assume. */
#include <picket.h>
#include <stddef.h>

static int counter;

static void *count(void *argument) {
    (void)argument;
#ifdef LIMITED
    int old = counter;
    if (old < 1000) {
        __sync_bool_compare_and_swap(&counter, old, old + 1);
    }
#else
    __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);
#endif
    return NULL;
}

int main(void) {
    picket_invariant(counter >= 0);
    picket_any_number(count, NULL);
    return 0;
}
