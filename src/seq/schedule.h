/* From a model to an execution of the machine: the witness. */
#ifndef PICKET_SEQ_SCHEDULE_H
#define PICKET_SEQ_SCHEDULE_H

#include "seq/symbolic.h"

/* Runs the model on the machine: events (indices, of uint32_t) in the order of memory, a store being issued just before
 * its thread's next other step or its own drain.  With `drain_all` all threads then run until they are blocked.  Sets
 * the violation that the machine reports; false if there is none. */
bool schedule_replay(struct symbolic *execution, const struct vector *sequence, bool drain_all,
                     struct verdict *verdict);

/* Likewise to the end of the program, which must be complete: for the state of memory there.  The machine is the
 * caller's; NULL if it cannot follow. */
struct machine *schedule_complete(struct symbolic *execution, const struct vector *sequence);

#endif
