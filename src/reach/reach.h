/* The engine `reach`: errors that are reachable, by a search of all states, without any bound on loops. */
#ifndef PICKET_REACH_REACH_H
#define PICKET_REACH_REACH_H

#include "engine/engine.h"

/* Searches all states, at most `most_states` of them (0: as many as there are).  Sets the verdict, or says in its
 * reason why there is none; counts are added to what it has.  `loose`: store buffers that grow without end may be
 * proved harmless by what is known of them all. */
void reach_decide(const struct task *task, uint64_t most_states, bool loose, struct verdict *verdict);

extern const struct engine engine_reach;

#endif
