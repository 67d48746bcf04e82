// The non-blocking write protocol (H. Kopetz and J. Reisinger, "The non-blocking write protocol NBW", 1993): one
// writer, who never waits; the readers notice from its counter that they were disturbed, and read again.
#include "harness.h"

#ifndef WRITES
#define WRITES 2
#endif

static _Atomic int counter; /* odd while the writer writes */
static _Atomic int left, right;

static void *writer(void *unused) {
    for (int i = 1; i <= WRITES; i++) {
        STORE(counter, 2 * i - 1);
        STORE_FENCE_FROM_PSO();
        STORE(left, i);
        STORE(right, i);
        STORE_FENCE_FROM_PSO();
        STORE(counter, 2 * i);
    }
    return unused;
}

static void *reader(void *unused) {
    int before, first, second;
    do {
        before = LOAD(counter);
        first = LOAD(left);
        second = LOAD(right);
    } while (before % 2 != 0 || LOAD(counter) != before);
    assert(first == second && first == before / 2);
    return unused;
}

int main(void) {
    run_pair(writer, reader);
    return 0;
}
