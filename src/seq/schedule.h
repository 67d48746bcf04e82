/* From a model to an execution of the machine: the witness. */
#ifndef PICKET_SEQ_SCHEDULE_H
#define PICKET_SEQ_SCHEDULE_H

#include "seq/symbolic.h"

/* Runs the program on the machine as the model says: events (indices, of uint32_t) in the order of memory, a store
 * being issued just before its thread's next other step or its own drain.  `drain_all`: then all threads come to where
 * they wait for ever.  Sets the violation that the machine meets; false if it meets none. */
bool schedule_replay(struct symbolic *execution, const struct vector *sequence, bool drain_all,
                     struct verdict *verdict);

/* Likewise to the end of the program, which must be complete: for the state of memory there.  The machine is the
 * caller's; NULL if it cannot follow. */
struct machine *schedule_complete(struct symbolic *execution, const struct vector *sequence);

#endif
