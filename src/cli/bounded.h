/* The engines `rounds` and `age`. */
#ifndef PICKET_CLI_BOUNDED_H
#define PICKET_CLI_BOUNDED_H

#include "engine/engine.h"

extern const struct engine engine_rounds;
extern const struct engine engine_age;

#endif
