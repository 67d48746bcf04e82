/* Shorter executions: a depth-first search may have wandered about before it came to what it has found. */
#ifndef PICKET_REACH_SHORTEN_H
#define PICKET_REACH_SHORTEN_H

#include "machine/machine.h"
#include "util/vector.h"

/* The first `before` transitions of the path (of struct transition) are SC on a TSO machine with these options: every
 * store drains at once.  Replaces them by a shorter way to the same state, if one is found quickly, and keeps the rest.
 */
void path_shorten(const struct program *program, const struct machine_options *options, size_t before,
                  struct vector *path);

#endif
