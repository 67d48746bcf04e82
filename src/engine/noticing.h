/* Can a program notice when its threads are created, end, are joined and detached? */
#ifndef PICKET_ENGINE_NOTICING_H
#define PICKET_ENGINE_NOTICING_H

#include "ir/program.h"

/* If only the first thread creates, joins and detaches, outside of atomic sections, and never asks whether a thread has
 * ended, then each of these operations finds what the first thread itself has left, and the order of the others' ends
 * makes no difference.  Traces then contain only program order for them, from a creation to the thread's first event
 * and from its last to the join. */
bool threads_are_noticed(const struct program *program);

#endif
