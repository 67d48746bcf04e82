/* What a worker finds in executions: errors, data races, ends. */
#ifndef PICKET_EXPLORE_FINDING_H
#define PICKET_EXPLORE_FINDING_H

#include "explore/worker.h"

/* The last event has made an error.  An error that depends on a failed assumption does not count.  The other threads
 * run on, since other races may need what they do. */
void finding_error(struct worker *worker);

/* Looks for data races of the newest event, or, at the end of an execution, of threads that wait in loops. */
void finding_races(struct worker *worker, bool at_end);

/* Looks for comparisons of addresses of ended objects that the newest event makes possible. */
void finding_stale(struct worker *worker);

/* The execution is maximal.  Returns false if it is the last one wanted. */
bool finding_end(struct worker *worker, enum outcome outcome);

#endif
