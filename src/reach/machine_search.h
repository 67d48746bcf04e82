/* The search on the machine itself: see search.h. */
#ifndef PICKET_REACH_MACHINE_SEARCH_H
#define PICKET_REACH_MACHINE_SEARCH_H

#include "reach/search.h"

void machine_search_run(const struct search_task *task, struct search_result *result);

/* A search is refused if one choice has more values than this. */
#define SEARCH_CHOICES 4096

#define SEARCH_REFUSED "a nondeterministic value has too many possible values to try them all"

/* The path's slots are those of the machine that searched.  Replaces them by those of a new machine that takes this
 * path, and sets the error at its end. */
void search_settle_path(const struct search_task *task, struct search_result *result, const struct machine *machine);

/* Counts a state in which an execution has ended, and calls task.final. */
void search_count_end(const struct search_task *task, struct search_result *result, struct machine *machine,
                      enum outcome outcome);

/* Must the search stop? */
bool search_must_stop(const struct search_task *task, struct search_result *result);

void search_show_progress(const struct search_task *task, const struct search_result *result);

#endif
