/* The search by components, breadth first: see search.h and components.h. */
#ifndef PICKET_REACH_BREADTH_H
#define PICKET_REACH_BREADTH_H

#include "reach/search.h"

/* Returns false, and does nothing, if the program cannot be searched by components. */
bool breadth_run(const struct search_task *task, struct search_result *result);

#endif
