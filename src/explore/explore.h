/* The engine `explore`: stateless model checking, one execution per Shasha-Snir trace. */
#ifndef PICKET_EXPLORE_EXPLORE_H
#define PICKET_EXPLORE_EXPLORE_H

#include "engine/engine.h"

extern const struct engine engine_explore;

#endif
