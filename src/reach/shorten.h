/* Shorter executions: a depth-first search may find a state by a long detour. */
#ifndef PICKET_REACH_SHORTEN_H
#define PICKET_REACH_SHORTEN_H

#include "machine/machine.h"
#include "util/vector.h"

/* Replaces the first `before` transitions of a path (of struct transition) on a machine with these options by a shorter
 * path to the same state, if one is found within about a second, and keeps the rest.  With `at_once` every store drains
 * at once, in the shorter path as well. */
void path_shorten(const struct program *program, const struct machine_options *options, size_t before, bool at_once,
                  struct vector *path);

#endif
