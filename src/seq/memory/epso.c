/* PSO by time (Section V of the paper): no write of a thread reaches memory before an older one of that thread to the
 * same location, or one that precedes a store barrier. */
#include "seq/memory/temporal_list.c" // NOLINT(bugprone-suspicious-include)

static memory_time memory_earliest(memory_location location, unsigned thread) {
    memory_time own = memory_own_time[location][thread];
    return own > memory_floor[thread] ? own : memory_floor[thread];
}
