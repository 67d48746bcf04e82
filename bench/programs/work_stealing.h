/* work_stealing.h: how the work-stealing queues are exercised.
 *
 * A program defines put, take (the owner's operations) and steal (the thief's), where 0 means that there was nothing.
 * The owner puts one task and takes it back, puts two more, and then takes all that is left; the thief steals.  No task
 * may be lost, and what is returned must be a task; with -DONCE none may be done twice either. */
#ifndef WORK_STEALING_H
#define WORK_STEALING_H

#include "harness.h"

#define TASKS 3
#ifndef STEALS
#define STEALS 2
#endif

static void put(int task);
static int take(void);
static int steal(void);

static int done_by_owner; /* one bit for each task */
static int done_by_thief;

static inline int do_task(int done, int task) {
    assert(task != 0);
#ifdef ONCE
    assert((done & 1 << task) == 0);
#endif
    return done | 1 << task;
}

static void *own(void *unused) {
    int done = 0;
    put(1);
    int task = take();
    if (task != 0) {
        done = do_task(done, task);
    }
    put(2);
    put(3);
    while ((task = take()) != 0) {
        done = do_task(done, task);
    }
    done_by_owner = done;
    return unused;
}

static void *rob(void *unused) {
    int done = 0;
    for (int i = 0; i < STEALS; i++) {
        int task = steal();
        if (task != 0) {
            done = do_task(done, task);
        }
    }
    done_by_thief = done;
    return unused;
}

int main(void) {
    run_pair(own, rob);
    assert((done_by_owner | done_by_thief) == (1 << (TASKS + 1)) - 2);
#ifdef ONCE
    assert((done_by_owner & done_by_thief) == 0);
#endif
    return 0;
}

#endif
