/* The search on the machine itself: see search.h. */
#ifndef PICKET_REACH_WALK_H
#define PICKET_REACH_WALK_H

#include "reach/search.h"

void walk_run(const struct search_task *task, struct search_result *result);

/* More values of one choice than this are not tried. */
#define SEARCH_CHOICES 4096

/* Counts a state in which an execution has ended, and tells the task. */
void search_count_end(const struct search_task *task, struct search_result *result, struct machine *machine,
                      enum outcome outcome);

/* Has the search to stop? */
bool search_must_stop(const struct search_task *task, struct search_result *result);

void search_show_progress(const struct search_task *task, const struct search_result *result);

#endif
