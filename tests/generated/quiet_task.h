/* A task without limits and without progress, for tests that run engines on programs of their own. */
#ifndef PICKET_TESTS_QUIET_TASK_H
#define PICKET_TESTS_QUIET_TASK_H

#include "engine/engine.h"

struct quiet_task {
    struct task task;
    struct limits limits;
    struct progress progress;
};

static inline struct task *quiet_task_init(struct quiet_task *quiet, const struct program *program,
                                           enum memory_model model) {
    *quiet = (struct quiet_task){.task = {.program = program, .machine = {.model = model}}};
    progress_start(&quiet->progress, PROGRESS_NONE);
    limits_start(&quiet->limits);
    quiet->task.limits = &quiet->limits;
    quiet->task.progress = &quiet->progress;
    return &quiet->task;
}

#endif
