// Idempotent work stealing, double-ended (M. M. Michael, M. T. Vechev and V. A. Saraswat, "Idempotent work stealing",
// 2009): the owner works at the tail, thieves at the head. Head, size and a tag that every put changes share one word.
// With -DUNTAGGED the tag stays as it is.
#include "work_stealing.h"

#define HEAD (1 << 8)
#define TAG (1 << 16)

static _Atomic int tasks[TASKS];
static _Atomic int anchor; /* the size, the head and tags, from the lowest bits up */

static int anchor_size(int word) {
    return word % HEAD;
}

static int anchor_head(int word) {
    return word % TAG / HEAD;
}

static void put(int task) {
    int now = LOAD(anchor);
    STORE(tasks[(anchor_head(now) + anchor_size(now)) % TASKS], task);
    STORE_FENCE_FROM_PSO();
#ifdef UNTAGGED
    STORE(anchor, now + 1);
#else
    STORE(anchor, now + 1 + TAG);
#endif
}

static int take(void) {
    int now = LOAD(anchor);
    if (anchor_size(now) == 0) {
        return 0;
    }
    int task = LOAD(tasks[(anchor_head(now) + anchor_size(now) - 1) % TASKS]);
    STORE(anchor, now - 1);
    return task;
}

static int steal(void) {
    for (;;) {
        int now = LOAD(anchor);
        if (anchor_size(now) == 0) {
            return 0;
        }
        int task = LOAD(tasks[anchor_head(now) % TASKS]);
        int head = (anchor_head(now) + 1) % TASKS;
        int next = now - anchor_head(now) * HEAD + head * HEAD - 1;
        if (compare_and_swap(&anchor, now, next)) {
            return task;
        }
    }
}
