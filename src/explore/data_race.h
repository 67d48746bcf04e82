/* Data races in an explored execution: two accesses of different threads that overlap, one of which writes and one of
 * which is not atomic, and that nothing orders but their own conflict.  Some execution of the same trace has them side
 * by side. */
#ifndef PICKET_EXPLORE_DATA_RACE_H
#define PICKET_EXPLORE_DATA_RACE_H

#include "explore/chronological.h"

/* Looks for an event, from number *from on, with which the newest one may be in a race: fills `steps` (of struct
 * transition) with an execution that ends where both can come next, and sets *from behind the event.  A step that waits
 * may do something else there than it did in the end: the machine has to say whether it is a race.  False if there is
 * none. */
bool data_race_find(const struct chronological *chronological, uint32_t *from, struct vector *steps);

/* The same for the next step of a thread that waits in a loop at the end of the execution. */
bool data_race_find_waiting(struct chronological *chronological, uint32_t thread, uint32_t *from, struct vector *steps);

/* Does a thread wait with a read-modify-write, which writes even in a round that fails, and another one with a read of
 * the same bytes that is not atomic? */
bool data_race_both_wait(struct machine *machine, uint32_t thread);

#endif
