// The work-stealing queue of Chase and Lev ("Dynamic circular work-stealing deque", 2005), without growing.
#define ONCE
#include "work_stealing.h"

static _Atomic int tasks[TASKS];
static _Atomic int top, bottom;

static void put(int task) {
    int at = LOAD(bottom);
    STORE(tasks[at], task);
    STORE_FENCE_FROM_PSO();
    STORE(bottom, at + 1);
}

static int take(void) {
    int at = LOAD(bottom) - 1;
    STORE(bottom, at);
    FENCE_FROM_TSO();
    int first = LOAD(top);
    if (at < first) {
        STORE(bottom, first);
        return 0;
    }
    int task = LOAD(tasks[at]);
    if (at > first) {
        return task;
    }
    bool won = compare_and_swap(&top, first, first + 1);
    STORE(bottom, first + 1);
    return won ? task : 0;
}

static int steal(void) {
    int first = LOAD(top);
    int end = LOAD(bottom);
    if (first >= end) {
        return 0;
    }
    int task = LOAD(tasks[first]);
    return compare_and_swap(&top, first, first + 1) ? task : 0;
}
