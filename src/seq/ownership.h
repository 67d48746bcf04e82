/* Locks: cells of which only the thread that has written itself there can take itself away again. */
#ifndef PICKET_SEQ_OWNERSHIP_H
#define PICKET_SEQ_OWNERSHIP_H

#include "seq/order.h"

/* Adds clauses that follow for the order of memory; must be called before transitivity is encoded. */
void ownership_encode(struct total_order *order);

#endif
