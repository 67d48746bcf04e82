/* The engine `switches`: breadth first by context switches. */
#ifndef PICKET_ENGINE_SWITCHES_H
#define PICKET_ENGINE_SWITCHES_H

#include "engine/engine.h"

extern const struct engine engine_switches;

#endif
