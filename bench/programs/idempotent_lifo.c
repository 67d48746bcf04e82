// Idempotent work stealing, last in first out (M. M. Michael, M. T. Vechev and V. A. Saraswat, "Idempotent work
// stealing", 2009). The tail and a tag that every put changes share one word. With -DUNTAGGED the tag stays as it is:
// then a thief may remove a task that was put where the one it has read was before.
#include "work_stealing.h"

#define TAG (1 << 8)

static _Atomic int tasks[TASKS];
static _Atomic int anchor; /* the tail, and tags in the bits above */

static int anchor_tail(int word) {
    return word % TAG;
}

static void put(int task) {
    int now = LOAD(anchor);
    STORE(tasks[anchor_tail(now)], task);
    STORE_FENCE_FROM_PSO();
#ifdef UNTAGGED
    STORE(anchor, now + 1);
#else
    STORE(anchor, now + 1 + TAG);
#endif
}

static int take(void) {
    int now = LOAD(anchor);
    if (anchor_tail(now) == 0) {
        return 0;
    }
    int task = LOAD(tasks[anchor_tail(now) - 1]);
    STORE(anchor, now - 1);
    return task;
}

static int steal(void) {
    for (;;) {
        int now = LOAD(anchor);
        if (anchor_tail(now) == 0) {
            return 0;
        }
        int task = LOAD(tasks[anchor_tail(now) - 1]);
        if (compare_and_swap(&anchor, now, now - 1)) {
            return task;
        }
    }
}
