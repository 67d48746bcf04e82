/* What a worker finds on its way: errors, data races, ends of executions. */
#ifndef PICKET_EXPLORE_FINDING_H
#define PICKET_EXPLORE_FINDING_H

#include "explore/worker.h"

/* The last event has met an error.  One that depends on a failed assumption does not count, and the other threads run
 * on: what they do may be needed to see other races. */
void finding_error(struct worker *worker);

/* Looks for data races of the newest event, or, at the end of an execution, of threads that wait in loops. */
void finding_races(struct worker *worker, bool at_end);

/* The execution is maximal; false if it was the last one wanted. */
bool finding_end(struct worker *worker, enum outcome outcome);

#endif
