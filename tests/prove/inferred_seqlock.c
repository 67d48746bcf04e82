// prove => safe within bounds
// prove -DUNEVEN => violation assertion
// prove -DNO_RETRY => violation assertion
/* A sequence lock: one thread writes, any number of threads read, without annotations.  What is read while the number
 * was even and the same before and after belongs together, unless the number overflows.  UNEVEN does not raise it
 * before it writes, NO_RETRY does not read it again afterwards. */
#include <picket.h>
#include <pthread.h>

static unsigned sequence;
static int first;
static int second;

static void *writer(void *argument) {
    for (int i = 0; i < 5; i++) {
        int value = picket_nondet_int(0, 9);
        unsigned old = sequence;
#ifndef UNEVEN
        sequence = old + 1;
#endif
        first = value;
        second = value;
        sequence = old + 2;
    }
    return argument;
}

static void *reader(void *argument) {
    for (;;) {
        unsigned before = sequence;
        if (before & 1) {
            continue;
        }
        int one = first;
        int other = second;
#ifndef NO_RETRY
        if (sequence != before) {
            continue;
        }
#endif
        picket_assert(one == other);
        return argument;
    }
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    picket_any_number(reader, NULL);
    return 0;
}
