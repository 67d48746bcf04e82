/* Transitivity of the order of memory, in clauses: a model's edges have no cycle (docs/seq.md, "Transitivity").
 *
 * Most events only read, and nothing depends on which of two such events is first.  So literals are needed only for
 * pairs with an event that writes, and a cycle of three only where one of the pairs is an edge or follows from edges.
 */
#ifndef PICKET_SEQ_TRANSITIVITY_H
#define PICKET_SEQ_TRANSITIVITY_H

#include "seq/order.h"

/* Gives the solver the clauses, if there are at most `most`; sets order->eager if so.  False if a limit was reached. */
bool transitivity_encode(struct total_order *order, uint64_t most);

#endif
