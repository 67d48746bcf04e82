/* Data races in an explored execution: two accesses of different threads that overlap, one of which writes and one of
 * which is not atomic, and that nothing orders but their own conflict.  Some execution of the same trace has them side
 * by side. */
#ifndef PICKET_EXPLORE_DATA_RACE_H
#define PICKET_EXPLORE_DATA_RACE_H

#include "explore/chronological.h"

/* Fills `steps` (of struct transition) with an execution that ends where the newest event, which is in a race, and the
 * other event can both come next; false if the newest event is in none. */
bool data_race_find(const struct chronological *chronological, struct vector *steps);

/* The same for the next step of a thread that waits in a loop at the end of the execution. */
bool data_race_find_waiting(struct chronological *chronological, uint32_t thread, struct vector *steps);

#endif
