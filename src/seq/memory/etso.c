/* TSO by time: no write of a thread reaches memory before an older one of that thread. */
#include "seq/memory/temporal_list.c" // NOLINT(bugprone-suspicious-include)

static memory_time memory_earliest(memory_location location, unsigned thread) {
    (void)location;
    return memory_latest[thread];
}
