// A reader-writer lock in one word: the number of readers inside, or -1 for a writer. With -DENDLESS all come back for
// ever, and writers write 0 and 1 by turns.
#include "harness.h"

#ifdef ENDLESS
#define AGAIN true
#else
#define AGAIN false
#endif

#ifndef READERS
#define READERS 1
#endif

static _Atomic int state;
static _Atomic int left, right; /* the writers keep them equal */

static void *write_once(void *unused) {
    while (!compare_and_swap(&state, 0, -1)) {
    }
    int value = AGAIN ? !LOAD(left) : LOAD(left) + 1;
    STORE(left, value);
    STORE(right, value);
    STORE_FENCE_FROM_PSO();
    STORE(state, 0);
    return unused;
}

static void *read_once(void *unused) {
    for (;;) {
        int now = LOAD(state);
        if (now >= 0 && compare_and_swap(&state, now, now + 1)) {
            break;
        }
    }
    int first = LOAD(left);
    int second = LOAD(right);
    assert(first == second);
    atomic_fetch_sub(&state, 1);
    return unused;
}

static void *contend(void *argument) {
    do {
        (intptr_t)argument < READERS ? read_once(NULL) : write_once(NULL);
    } while (AGAIN);
    return NULL;
}

int main(void) {
    run_threads(READERS + 2, contend);
    assert(LOAD(left) == 2 && LOAD(right) == 2);
    return 0;
}
