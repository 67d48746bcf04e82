/* The engine `random`: schedules at random.  It finds violations and proves nothing. */
#ifndef PICKET_ENGINE_RANDOM_H
#define PICKET_ENGINE_RANDOM_H

#include "engine/engine.h"

enum scheduler { SCHEDULER_BOTH, SCHEDULER_UNIFORM, SCHEDULER_PCT };

struct random_options {
    struct engine_options common;
    uint64_t runs;
    uint64_t seed;
    uint64_t steps; /* of one run */
    enum scheduler scheduler;
};

extern const struct engine engine_random;

static inline const struct random_options *random_options(const struct task *task) {
    return (const struct random_options *)task_options(task, &engine_random);
}

#endif
