// A sequence lock: writers make the counter odd while they write; a reader starts again if it was odd or has changed.
#include "harness.h"

#ifndef WRITERS
#define WRITERS 1
#endif

static _Atomic int sequence;
static _Atomic int left, right; /* the writers keep them equal */

static void *write_once(void *unused) {
    int before;
    do {
        before = LOAD(sequence);
    } while (before % 2 != 0 || !compare_and_swap(&sequence, before, before + 1));
    int value = LOAD(left) + 1;
    STORE(left, value);
    STORE(right, value);
    STORE_FENCE_FROM_PSO();
    STORE(sequence, before + 2);
    return unused;
}

static void *read_once(void *unused) {
    int before, first, second;
    do {
        before = LOAD(sequence);
        first = LOAD(left);
        second = LOAD(right);
    } while (before % 2 != 0 || LOAD(sequence) != before);
    assert(first == second);
    return unused;
}

static void *contend(void *argument) {
    return (intptr_t)argument == 0 ? read_once(NULL) : write_once(NULL);
}

int main(void) {
    run_threads(WRITERS + 1, contend);
    return 0;
}
