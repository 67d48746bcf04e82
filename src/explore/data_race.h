/* Data races in an explored execution: two accesses of different threads that overlap, of which one writes and one is
 * not atomic, and which only their own conflict orders.  Some execution of the same trace has them side by side. */
#ifndef PICKET_EXPLORE_DATA_RACE_H
#define PICKET_EXPLORE_DATA_RACE_H

#include "explore/chronological.h"

/* Looks for an event, from number *from on, with which the newest one may be in a race.  Fills `steps` (of struct
 * transition) with an execution that ends where both can come next, and sets *from after the event.  A step that waits
 * may do something else there than it did in the end, so the caller asks the machine whether it is a race.  False if
 * there is none. */
bool data_race_find(const struct chronological *chronological, uint32_t *from, struct vector *steps);

/* As data_race_find for the next step of a thread that waits in a loop at the end of the execution. */
bool data_race_find_waiting(struct chronological *chronological, uint32_t thread, uint32_t *from, struct vector *steps);

/* Does a thread wait with a read-modify-write, which writes even in an iteration that fails, and another one with a
 * read of the same bytes that is not atomic? */
bool data_race_both_wait(struct machine *machine, uint32_t thread);

#endif
