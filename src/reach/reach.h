/* The engine `reach`: errors that are reachable, by a search of all states, without any bound on loops. */
#ifndef PICKET_REACH_REACH_H
#define PICKET_REACH_REACH_H

#include "engine/engine.h"
#include "reach/search.h"

struct reach_options {
    struct engine_options common;
    bool shortest; /* the result must be a shortest execution */
};

/* A search of all states for the task's question; loops are executed, not awaited. */
struct search_task search_of(const struct task *task);

/* Searches all states, at most `most_states` of them (0: no limit).  Sets the verdict, or the reason for which there is
 * none; adds to the counts of the verdict.  With `abstract`, store buffers that grow without end may be abstracted
 * (buffered.h). */
void reach_decide(const struct task *task, uint64_t most_states, bool abstract, struct verdict *verdict);

extern const struct engine engine_reach;

static inline const struct reach_options *reach_options(const struct task *task) {
    return (const struct reach_options *)task_options(task, &engine_reach);
}

#endif
