/* Removes unread results, in code without cycles. */
#ifndef PICKET_SEQ_PRINT_DEAD_H
#define PICKET_SEQ_PRINT_DEAD_H

#include "ir/builder.h"

/* Turns computations whose result is never read into NOPs, in the function that is being emitted, which has `registers`
 * registers.  All branches go forward. */
void dead_remove(struct builder *builder, uint32_t registers);

#endif
