/* The engines `rounds` and `age`. */
#ifndef PICKET_CLI_BOUNDED_H
#define PICKET_CLI_BOUNDED_H

#include "engine/engine.h"

/* Of both. */
struct bounded_options {
    struct engine_options common;
    uint32_t copies; /* how many words may have pending stores in one thread; 0: BOUND_COPIES */
};

extern const struct engine engine_rounds;
extern const struct engine engine_age;

#endif
