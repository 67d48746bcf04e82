/* See levels.h. */
#include "reach/levels.h"

#include <assert.h>
#include <stdlib.h>

#include "util/reserve.h"

void levels_init(struct levels *levels, uint32_t jobs) {
    levels->jobs = jobs;
    levels->logs = memory_allocate_aligned(CACHE_LINE, jobs * sizeof *levels->logs);
    for (uint32_t j = 0; j < jobs; j++) {
        levels->logs[j].reserved = reserve_size(MOST_LOG_BYTES);
        levels->logs[j].states = reserve_new(levels->logs[j].reserved);
    }
    vector_init(&levels->ends, sizeof(uint64_t));
}

void levels_delete(struct levels *levels) {
    for (uint32_t j = 0; j < levels->jobs; j++) {
        reserve_free(levels->logs[j].states, levels->logs[j].reserved);
    }
    free(levels->logs);
    vector_delete(&levels->ends);
}

void levels_check(const struct levels *levels) {
#ifndef NDEBUG
    assert(levels->jobs > 0 && levels->ends.count % levels->jobs == 0 && "a level has an end for each thread (L1)");
    size_t count = levels_count(levels);
    for (uint32_t j = 0; j < levels->jobs; j++) {
        const uint64_t *ends = levels->ends.data;
        const struct level_log *log = &levels->logs[j];
        uint64_t last = count > 0 ? ends[(count - 1) * levels->jobs + j] : 0;
        assert((count < 2 || ends[(count - 2) * levels->jobs + j] <= last) && "ends do not descend (L1)");
        assert(log->end == last && last <= log->count && "the last end is that of the current level (L2)");
        assert(log->count <= log->reserved / sizeof(uint64_t) && "the log is within its memory");
    }
#else
    (void)levels;
#endif
}

uint64_t levels_begin(struct levels *levels) {
    uint64_t count = 0;
    for (uint32_t j = 0; j < levels->jobs; j++) {
        struct level_log *log = &levels->logs[j];
        count += log->count - log->end;
        if (!log->large) {
            log->large = reserve_with_large_pages(log->states, log->reserved, log->count * sizeof *log->states);
        }
        atomic_store_explicit(&log->next, log->end, memory_order_relaxed);
        log->end = log->count;
        vector_push(&levels->ends, &log->end);
    }
    levels_check(levels);
    return count;
}

struct level_part levels_take(struct levels *levels, uint32_t job, uint64_t most) {
    for (uint32_t i = 0; i < levels->jobs; i++) {
        struct level_log *log = &levels->logs[job + i < levels->jobs ? job + i : job + i - levels->jobs];
        if (atomic_load_explicit(&log->next, memory_order_relaxed) >= log->end) {
            continue;
        }
        uint64_t first = atomic_fetch_add_explicit(&log->next, most, memory_order_relaxed);
        if (first < log->end) {
            return (struct level_part){log->states + first, log->end - first < most ? log->end - first : most};
        }
    }
    return (struct level_part){NULL, 0};
}

struct level_part levels_part(const struct levels *levels, size_t level, uint32_t job) {
    const uint64_t *ends = levels->ends.data;
    uint64_t first = level == 0 ? 0 : ends[(level - 1) * levels->jobs + job];
    return (struct level_part){levels->logs[job].states + first, ends[level * levels->jobs + job] - first};
}
