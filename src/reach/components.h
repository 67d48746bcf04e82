/* The search by components, under SC: see search.h. */
#ifndef PICKET_REACH_COMPONENTS_H
#define PICKET_REACH_COMPONENTS_H

#include "reach/search.h"

/* False, with nothing done, if the program cannot be searched this way. */
bool components_run(const struct search_task *task, struct search_result *result);

#endif
