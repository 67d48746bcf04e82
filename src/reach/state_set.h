/* The set of visited states: 64-bit keys, open addressing, nothing but the keys.
 *
 * The set is divided into segments of one size by the top bits of the hash.  A set that becomes too full is replaced by
 * one of twice the size, segment by segment, so growing never needs much more memory than the set itself, and many
 * threads can help.  Any number of threads may add at once, but none while the set grows. */
#ifndef PICKET_REACH_STATE_SET_H
#define PICKET_REACH_STATE_SET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reach/intern.h"

#define STATE_SEGMENTS 64u
#define STATE_SEGMENT_SHIFT 58
#define STATE_PROBES 1024u /* greater than the number of probes in a set that is not too full */

struct state_set {
    _Atomic uint64_t *slots[STATE_SEGMENTS]; /* 0: empty */
    size_t mask;                             /* of each segment */
    char apart[CACHE_LINE];                  /* what follows changes all the time */
    _Atomic uint64_t count;                  /* number of keys counted by state_set_count */
};

enum state_added { STATE_KNOWN, STATE_NEW, STATE_NO_ROOM };

void state_set_init(struct state_set *set, size_t jobs);
void state_set_delete(struct state_set *set);

/* Growing: every segment is grown, different ones at once if there are several threads; then the set is grown.  No
 * thread adds meanwhile. */
void state_set_grow_segment(struct state_set *set, unsigned segment);
void state_set_grown(struct state_set *set);

size_t state_set_bytes(const struct state_set *set);

static inline uint64_t state_hash(uint64_t key) {
    return intern_mix(key);
}

static inline void state_set_prefetch(const struct state_set *set, uint64_t hash) {
    __builtin_prefetch((const void *)&set->slots[hash >> STATE_SEGMENT_SHIFT][hash & set->mask], 1, 3);
}

/* Adds a key, which is not 0. */
static inline enum state_added state_set_add(struct state_set *set, uint64_t key, uint64_t hash) {
    _Atomic uint64_t *slots = set->slots[hash >> STATE_SEGMENT_SHIFT];
    size_t i = hash & set->mask;
    for (size_t probes = 0; probes < STATE_PROBES; probes++, i = (i + 1) & set->mask) {
        uint64_t found = atomic_load_explicit(&slots[i], memory_order_relaxed);
        if (found == 0 && atomic_compare_exchange_strong_explicit(&slots[i], &found, key, memory_order_relaxed,
                                                                  memory_order_relaxed)) {
            return STATE_NEW;
        }
        if (found == key) {
            return STATE_KNOWN;
        }
    }
    return STATE_NO_ROOM;
}

/* Counts `count` added keys; true if the set is now too full. */
static inline bool state_set_count(struct state_set *set, uint64_t count) {
    count += atomic_fetch_add_explicit(&set->count, count, memory_order_relaxed);
    return count * 4 > (set->mask + 1) * STATE_SEGMENTS * 3;
}

#endif
