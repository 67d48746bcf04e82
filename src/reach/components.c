/* The search by components. */
#include "reach/components.h"

bool components_run(const struct search_task *task, struct search_result *result) {
    (void)task;
    (void)result;
    return false;
}
