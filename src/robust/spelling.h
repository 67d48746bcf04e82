/* Executions with the failed reads of waiting loops as steps.
 *
 * `explore` does not execute failed iterations of waiting loops; a cycle that it finds may have reads that are no steps
 * of the execution, but are possible.  The fences that stop the execution can be found only if these reads are
 * steps. */
#ifndef PICKET_ROBUST_SPELLING_H
#define PICKET_ROBUST_SPELLING_H

#include "robust/execution.h"

/* Changes the execution into one whose cycle has steps only: as it is, or with the failed reads of its cycle inserted
 * and the rest in an order in which they are possible.  If there is none, the execution is unchanged, with
 * `implies_reads`. */
void execution_spell_out(struct execution *execution, const struct program *program);

#endif
