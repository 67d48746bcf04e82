/* Shorter executions: a depth-first search may have wandered about before it came to what it has found. */
#ifndef PICKET_REACH_SHORTEN_H
#define PICKET_REACH_SHORTEN_H

#include "machine/machine.h"
#include "util/vector.h"

/* Replaces the first `before` transitions of a path (of struct transition) on a machine with these options by a shorter
 * way to the same state, if one is found within a second or so, and keeps the rest.  With `at_once` every store of it
 * drains at once, and is to do so. */
void path_shorten(const struct program *program, const struct machine_options *options, size_t before, bool at_once,
                  struct vector *path);

#endif
