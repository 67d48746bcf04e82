/* The states of a breadth-first search by levels, on several threads.
 *
 * Each thread logs the states that it finds; all states logged since a level began are the next level.  Threads take
 * the states of a level in batches, first from their own logs, since those are likely to be in their caches.  Logs are
 * kept, so that the path back to the start can be found.
 *
 *   L1. `ends` has, for each level, one end per thread; those of one thread do not descend.
 *
 *   L2. The last end of a thread is the end of the level that is being searched, and not beyond what it has logged. */
#ifndef PICKET_REACH_LEVELS_H
#define PICKET_REACH_LEVELS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/memory.h"
#include "util/vector.h"

#define MOST_LOG_BYTES (UINT64_C(1) << 36) /* of address space */

struct level_log {
    _Alignas(CACHE_LINE) uint64_t *states;
    uint64_t count;
    size_t reserved; /* bytes */
    bool large;      /* uses large pages */
    /* The present level: */
    _Alignas(CACHE_LINE) _Atomic uint64_t next; /* the first state that no thread has taken, */
    uint64_t end;                               /* and the end */
};

struct levels {
    uint32_t jobs;
    struct level_log *logs; /* by thread */
    struct vector ends;     /* of uint64_t: by level and thread */
};

/* A range of states in one log. */
struct level_part {
    const uint64_t *states;
    uint64_t count;
};

void levels_init(struct levels *levels, uint32_t jobs);
void levels_delete(struct levels *levels);

/* The number of levels. */
static inline size_t levels_count(const struct levels *levels) {
    return levels->ends.count / levels->jobs;
}

/* Logs a state. */
static inline void levels_add(struct levels *levels, uint32_t job, uint64_t state) {
    struct level_log *log = &levels->logs[job];
    if (log->count == log->reserved / sizeof(uint64_t)) {
        memory_exhausted();
    }
    log->states[log->count++] = state;
}

/* Asserts L1 and L2, while nobody adds or takes; debug builds do so when a level begins. */
void levels_check(const struct levels *levels);

/* Begins the next level, while no thread adds or takes states; returns its number of states. */
uint64_t levels_begin(struct levels *levels);

/* Takes at most `most` states of the level; none if all are taken. */
struct level_part levels_take(struct levels *levels, uint32_t job, uint64_t most);

/* The states of a level in one thread's log. */
struct level_part levels_part(const struct levels *levels, size_t level, uint32_t job);

#endif
