/* The search on the machine itself: see search.h. */
#ifndef PICKET_REACH_WALK_H
#define PICKET_REACH_WALK_H

#include "reach/search.h"

void walk_run(const struct search_task *task, struct search_result *result);

/* More values of one choice than this are not tried. */
#define SEARCH_CHOICES 4096

#define SEARCH_REFUSED "a nondeterministic value has too many possible values to try them all"

/* The path's slots are those of the machine that searched; makes them those of a new machine that takes this path, and
 * notes the error that it ends in. */
void search_settle_path(const struct search_task *task, struct search_result *result, const struct machine *machine);

/* Counts a state in which an execution has ended, and tells the task. */
void search_count_end(const struct search_task *task, struct search_result *result, struct machine *machine,
                      enum outcome outcome);

/* Has the search to stop? */
bool search_must_stop(const struct search_task *task, struct search_result *result);

void search_show_progress(const struct search_task *task, const struct search_result *result);

#endif
