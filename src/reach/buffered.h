/* Reachability on a machine with store buffers: what is in the buffers is part of the state.
 *
 * Where the buffers of a program stay short, its states are finitely many if they are so under SC, and the search ends.
 * It is run with buffers up to a length, at which a store waits for a drain; if a store had to, the length grows.  So
 * an error that is found is one, and there is none if no store had to wait. */
#ifndef PICKET_REACH_BUFFERED_H
#define PICKET_REACH_BUFFERED_H

#include "reach/search.h"

/* `task` has a model with buffers and no hooks; `result` was initialised. */
void buffered_run(const struct search_task *task, struct search_result *result);

#endif
