/* The engine `reach`: errors that are reachable under sequential consistency, without any bound on loops. */
#ifndef PICKET_REACH_REACH_H
#define PICKET_REACH_REACH_H

#include "engine/engine.h"

extern const struct engine engine_reach;

#endif
