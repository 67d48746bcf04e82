/* The engine `explore`: stateless model checking, one execution per Shasha-Snir trace. */
#ifndef PICKET_EXPLORE_EXPLORE_H
#define PICKET_EXPLORE_EXPLORE_H

#include "engine/engine.h"

struct chronological;

enum dpor { DPOR_OPTIMAL, DPOR_SOURCE };

struct explore_options {
    struct engine_options common;
    enum dpor dpor;
    /* In debug builds: explore/check.h checks every execution whose number is divisible by this; 0: a few of them. */
    uint32_t check_every;
    /* If not NULL: called at the end of every maximal execution, complete or not; true ends the search.  Errors then
     * end only the thread that meets them. */
    bool (*maximal)(void *data, struct chronological *execution);
    void *maximal_data;
    /* An execution of this length, or of this many seconds of CPU time, ends the search (verdict.endless); 0: none
     * does. */
    uint32_t longest_steps;
    double longest_s;
};

extern const struct engine engine_explore;

static inline const struct explore_options *explore_options(const struct task *task) {
    return (const struct explore_options *)task_options(task, &engine_explore);
}

#endif
