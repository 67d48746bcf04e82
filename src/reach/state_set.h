/* The set of states that were seen: 64-bit keys, open addressing, nothing but the keys.
 *
 * The set is cut into segments by the top bits of the hash.  A segment that becomes too full is replaced by one of
 * twice the size, one after the other, so growing never needs much more memory than the set itself.  Any number of
 * threads may add at once; while a segment grows nobody may. */
#ifndef PICKET_REACH_STATE_SET_H
#define PICKET_REACH_STATE_SET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reach/intern.h"

#define STATE_SEGMENTS 64u
#define STATE_SEGMENT_SHIFT 58

struct state_segment {
    _Atomic uint64_t *slots; /* 0: empty */
    size_t mask;
    _Atomic uint64_t count; /* as far as it was told: see state_set_count */
};

struct state_set {
    struct state_segment segments[STATE_SEGMENTS];
};

enum state_added { STATE_KNOWN, STATE_NEW, STATE_NO_ROOM };

void state_set_init(struct state_set *set, size_t jobs);
void state_set_delete(struct state_set *set);

/* Makes every segment that is too full larger; nobody else uses the set meanwhile.  `may` is asked before each, with
 * the bytes it needs; false if it forbade one. */
bool state_set_grow(struct state_set *set, bool (*may)(void *data, size_t bytes), void *data);

size_t state_set_bytes(const struct state_set *set);

static inline uint64_t state_hash(uint64_t key) {
    return intern_mix(key);
}

/* Is the segment fuller than it should be? */
static inline bool state_segment_full(const struct state_segment *segment) {
    return atomic_load_explicit(&segment->count, memory_order_relaxed) * 4 > (segment->mask + 1) * 3;
}

static inline void state_set_prefetch(const struct state_set *set, uint64_t hash) {
    const struct state_segment *segment = &set->segments[hash >> STATE_SEGMENT_SHIFT];
    __builtin_prefetch((const void *)&segment->slots[hash & segment->mask], 1, 3);
}

/* Adds a key, which is not 0. */
static inline enum state_added state_set_add(struct state_set *set, uint64_t key, uint64_t hash) {
    struct state_segment *segment = &set->segments[hash >> STATE_SEGMENT_SHIFT];
    size_t i = hash & segment->mask;
    for (size_t probes = 0; probes <= segment->mask; probes++, i = (i + 1) & segment->mask) {
        uint64_t found = atomic_load_explicit(&segment->slots[i], memory_order_relaxed);
        if (found == key) {
            return STATE_KNOWN;
        }
        if (found == 0) {
            /* Leave some room, so that looking for what is not there ends. */
            if (atomic_load_explicit(&segment->count, memory_order_relaxed) * 8 > (segment->mask + 1) * 7) {
                return STATE_NO_ROOM;
            }
            if (atomic_compare_exchange_strong_explicit(&segment->slots[i], &found, key, memory_order_relaxed,
                                                        memory_order_relaxed)) {
                return STATE_NEW;
            }
            if (found == key) {
                return STATE_KNOWN;
            }
        }
    }
    return STATE_NO_ROOM;
}

/* Tells that `count` keys were added to a segment; true if it is now too full. */
static inline bool state_set_count(struct state_set *set, unsigned segment, uint64_t count) {
    atomic_fetch_add_explicit(&set->segments[segment].count, count, memory_order_relaxed);
    return state_segment_full(&set->segments[segment]);
}

#endif
