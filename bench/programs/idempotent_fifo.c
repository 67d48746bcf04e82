// Idempotent work stealing, first in first out (M. M. Michael, M. T. Vechev and V. A. Saraswat, "Idempotent work
// stealing", 2009): a task may be done more than once, and so the owner needs no fence between store and load.
#include "work_stealing.h"

static _Atomic int tasks[TASKS];
static _Atomic int head, tail;

static void put(int task) {
    int at = LOAD(tail);
    STORE(tasks[at], task);
    STORE_FENCE_FROM_PSO();
    STORE(tail, at + 1);
}

static int take(void) {
    int at = LOAD(head);
    if (at == LOAD(tail)) {
        return 0;
    }
    int task = LOAD(tasks[at]);
    STORE_FENCE_FROM_PSO(); /* a head that overtakes the tail would lead thieves beyond the end */
    STORE(head, at + 1);
    return task;
}

static int steal(void) {
    for (;;) {
        int at = LOAD(head);
        if (at == LOAD(tail)) {
            return 0;
        }
        int task = LOAD(tasks[at]);
        if (compare_and_swap(&head, at, at + 1)) {
            return task;
        }
    }
}
