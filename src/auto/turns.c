#include "auto/turns.h"

#include <stdlib.h>

#define FIRST_SLICE 0.02 /* seconds, doubled with each turn of a child */
#define LONGEST_SLICE 0.5

static double used(struct runner *runner) {
    return runner_time(runner) + runner->credit;
}

void turns_welcome(struct runner *runner, const struct turn_taker *others, size_t count) {
    double least = -1;
    for (size_t i = 0; i < count; i++) {
        double other = used(others[i].runner);
        least = least < 0 || other < least ? other : least;
    }
    runner->credit = least > 0 ? least : 0;
}

static int least_first(const void *one, const void *other) {
    const struct runner *a = ((const struct turn_taker *)one)->runner;
    const struct runner *b = ((const struct turn_taker *)other)->runner;
    double difference = a->cpu_s + a->credit - b->cpu_s - b->credit;
    return difference < 0 ? -1 : difference > 0;
}

static double slice_of(const struct runner *runner) {
    double slice = FIRST_SLICE;
    for (unsigned i = 1; i < runner->turns && slice < LONGEST_SLICE; i++) {
        slice *= 2;
    }
    return slice < LONGEST_SLICE ? slice : LONGEST_SLICE;
}

/* The first in the order runs, however many threads it has; the others as far as there is room. */
double turns_assign(struct turn_taker *takers, size_t count, unsigned jobs) {
    unsigned busy = 0;
    unsigned wanted = 0;
    double slice = LONGEST_SLICE;
    for (size_t i = 0; i < count; i++) {
        runner_time(takers[i].runner);
        wanted += takers[i].threads;
    }
    if (count > 1) {
        qsort(takers, count, sizeof *takers, least_first);
    }
    for (size_t i = 0; i < count; i++) {
        struct runner *runner = takers[i].runner;
        bool runs = busy == 0 || busy + takers[i].threads <= jobs;
        if (!runs) {
            if (!runner->paused) {
                runner_pause(runner);
            }
            continue;
        }
        busy += takers[i].threads;
        runner->turns += wanted > jobs;
        slice = slice_of(runner) < slice ? slice_of(runner) : slice;
        if (runner->paused) {
            runner_continue(runner);
        }
    }
    return wanted > jobs ? slice : 0;
}
