/* A stretch of a thread's code, executed along all its branches with a world: a step, a section, the condition of an
 * annotation, or a step and the local code that follows it. */
#ifndef PICKET_PROVE_PATH_H
#define PICKET_PROVE_PATH_H

#include "prove/world.h"

/* Where control leaves the stretch: one state for each instruction at which it can be then. */
struct exit {
    uint32_t index;
    struct state state;
};

/* Does the stretch end before this instruction? */
typedef bool path_end(void *data, const struct instance *thread, uint32_t index);

/* Executes from instruction `from` on, at least that one, until `end` returns true.  The flow graph must have no cycle
 * in between.  Adds to `exits` (of struct exit), which the caller has initialised. */
void path_run(struct instance *thread, const struct state *before, struct world *world, uint32_t from, path_end *end,
              void *data, struct vector *exits);

void exits_delete(struct vector *exits);

/* The end of a section's stretch: its own ATOMIC_END. */
path_end path_ends_section;

/* The condition of the annotation that the NOTE at `note` begins, for a thread whose registers are as in `state`. */
Z3_ast path_condition(struct instance *thread, const struct state *state, struct world *world, uint32_t note);

#endif
