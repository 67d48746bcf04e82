/* PSO: an entry drains when no older one is for the same location or precedes a store barrier before it. */
#include "seq/memory/queue.c" // NOLINT(bugprone-suspicious-include)

static int memory_may_drain(unsigned thread, unsigned entry) {
    for (unsigned i = 0; i + 1 < MEMORY_QUEUE; i++) {
        if (i < entry && (memory_queue_location[thread][i] == memory_queue_location[thread][entry] ||
                          memory_queue_barriers[thread][i] != memory_queue_barriers[thread][entry])) {
            return 0;
        }
    }
    return 1;
}
