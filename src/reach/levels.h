/* The states of a breadth-first search by levels, on several threads.
 *
 * Each thread logs the states that it finds; what all have logged since the last level is the next.  Threads take the
 * states of a level in batches, from their own logs first: those they are likely to have in their caches.  Logs are
 * kept, so that the way back to the start can be found. */
#ifndef PICKET_REACH_LEVELS_H
#define PICKET_REACH_LEVELS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/memory.h"
#include "util/vector.h"

#define LEVEL_LOG_BYTES (UINT64_C(1) << 36) /* of address space */

struct level_log {
    _Alignas(CACHE_LINE) uint64_t *states;
    uint64_t count;
    bool large; /* it has large pages */
    /* The level that is being searched: */
    _Alignas(CACHE_LINE) _Atomic uint64_t next; /* the first state that nobody has taken, */
    uint64_t end;                               /* and the end */
};

struct levels {
    uint32_t jobs;
    struct level_log *logs; /* by thread */
    struct vector ends;     /* of uint64_t: by level and thread */
};

/* Some states. */
struct level_part {
    const uint64_t *states;
    uint64_t count;
};

void levels_init(struct levels *levels, uint32_t jobs);
void levels_delete(struct levels *levels);

/* How many levels there are. */
static inline size_t levels_count(const struct levels *levels) {
    return levels->ends.count / levels->jobs;
}

/* Logs a state. */
static inline void levels_add(struct levels *levels, uint32_t job, uint64_t state) {
    struct level_log *log = &levels->logs[job];
    if (log->count == LEVEL_LOG_BYTES / sizeof(uint64_t)) {
        memory_exhausted();
    }
    log->states[log->count++] = state;
}

/* Begins the next level, while nobody adds or takes; returns how many states it has. */
uint64_t levels_begin(struct levels *levels);

/* At most so many states of the level that nobody has taken; none if there are no more. */
struct level_part levels_take(struct levels *levels, uint32_t job, uint64_t most);

/* What a thread has logged of a level. */
struct level_part levels_part(const struct levels *levels, size_t level, uint32_t job);

#endif
