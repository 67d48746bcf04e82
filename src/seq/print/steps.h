/* Where a thread may be switched from: its numbered steps.
 *
 * A switch matters before a visible step, if the thread has done something visible since it was resumed.  A fence only
 * waits for what may drain at any time, so that one switch, before the fence, is enough for it and the next visible
 * step.  Where an assumption fails, or a loop is cut, the execution ends for all threads; a switch before it lets the
 * others continue, and is needed only if they can notice what the thread has done before. */
#ifndef PICKET_SEQ_PRINT_STEPS_H
#define PICKET_SEQ_PRINT_STEPS_H

#include "ir/liveness.h"
#include "seq/print/cells.h"

struct steps {
    uint32_t *number; /* by instruction of the thread: the number of the step that begins there, 0 if none does */
    uint32_t *before; /* by instruction: the number of the last step before it */
    uint8_t *depth;   /* by instruction: how many atomic sections it is in */
    uint32_t end;     /* the program counter of a thread that has ended: greater than every number */
};

/* `buffered`: writes may be pending.  False if atomic sections do not match: `diagnostics` says where. */
bool steps_init(struct steps *steps, const struct cells *cells, uint32_t thread, bool buffered,
                struct diagnostics *diagnostics);
void steps_delete(struct steps *steps);

#endif
