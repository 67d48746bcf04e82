/* Executions in which failed reads of waiting loops are spelled out.
 *
 * `explore` does not walk rounds of a waiting loop that fail; a cycle that it finds may have reads that are no steps of
 * the execution, but can have been.  Which fences stop it can be seen only if they are. */
#ifndef PICKET_FENCE_SPELLING_H
#define PICKET_FENCE_SPELLING_H

#include "fence/robustness.h"

/* Makes the execution one whose cycle has steps only: as it is, or with the failed reads of its cycle put in and the
 * rest in an order that lets them happen.  If that cannot be done it stays as it was, with `implies_reads`. */
void execution_spell_out(struct execution *execution, const struct program *program);

#endif
