/* Clocks: for each event of an execution the set of events that happen before it, as a row of bits.
 *
 * Every event below the floor of a row happens before the row's event; only the words from the floor on are stored.  So
 * rows stay short, however long the execution is, while one thread runs alone or while threads keep in step.  A long
 * row is packed if that makes it much shorter: of equal words in sequence only the first is stored.  So rows also stay
 * short while one thread runs for long, and drains its buffer now and then, beside others that are blocked or have
 * ended.  The row after a packed one is packed from the start, so an event takes time only in proportion to the runs of
 * its row.  Queries are frequent: the short functions are inline. */
#ifndef PICKET_EXPLORE_CLOCKS_H
#define PICKET_EXPLORE_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "util/vector.h"

#define PACKED UINT32_MAX

struct clock {
    uint64_t base; /* word w of the row is words[base + w]; if the row is packed, words[base] is its floor, and its runs
                      follow */
    uint32_t floor; /* the first word that is stored, or PACKED */
};

struct clocks {
    struct vector clocks; /* of struct clock, by event */
    uint64_t *words;      /* row after row, in the order of the events */
    size_t used;
    size_t capacity;
    struct vector packed; /* of uint64_t: a row while it is being packed */
    size_t run;           /* index of its last run; 0: it has none */
};

void clocks_init(struct clocks *clocks);
void clocks_delete(struct clocks *clocks);

/* Makes room for `words` more words. */
void clocks_grow(struct clocks *clocks, size_t words);

static inline const struct clock *clocks_at(const struct clocks *clocks, uint32_t event) {
    return (const struct clock *)clocks->clocks.data + event;
}

static inline uint32_t clocks_floor(const struct clocks *clocks, uint32_t event) {
    const struct clock *clock = clocks_at(clocks, event);
    return clock->floor == PACKED ? (uint32_t)clocks->words[clock->base] : clock->floor;
}

/* Does a packed row contain an event? */
bool clocks_packed_hold(const struct clocks *clocks, const struct clock *clock, uint32_t earlier);

/* Does an event happen before a later one? */
static inline bool clocks_hold(const struct clocks *clocks, uint32_t later, uint32_t earlier) {
    const struct clock *clock = clocks_at(clocks, later);
    uint32_t word = earlier / 64;
    if (word < clock->floor) {
        return clock->floor != PACKED || clocks_packed_hold(clocks, clock, earlier);
    }
    return clocks->words[clock->base + word] >> earlier % 64 & 1;
}

#define LONG_ROW 16u /* words: shorter rows are not packed */

/* Packs the newest row, which is complete, if that saves enough. */
void clocks_pack(struct clocks *clocks);

/* Begins a row for the next event if the row before it is packed, or can be packed; otherwise returns false. */
bool clocks_push_packed(struct clocks *clocks, uint32_t floor);

/* Begins a row for the next event, with all events below the floor.  Afterwards come the events that happen before its
 * predecessors, then the predecessors themselves. */
static inline void clocks_push(struct clocks *clocks, uint32_t floor) {
    uint32_t last = (uint32_t)clocks->clocks.count / 64;
    if (last - floor >= LONG_ROW && clocks_push_packed(clocks, floor)) {
        return;
    }
    if (clocks->used + (last - floor) + 1 > clocks->capacity) {
        clocks_grow(clocks, last - floor + 1);
    }
    *(struct clock *)vector_room(&clocks->clocks) = (struct clock){.base = clocks->used - floor, .floor = floor};
    clocks->words[clocks->used++] = 0;
    if (floor < last) {
        memset(clocks->words + clocks->used, 0, (last - floor) * sizeof *clocks->words);
        clocks->used += last - floor;
    }
}

/* Rows of several words. */
void clocks_join_long(struct clocks *clocks, uint32_t event, uint32_t other);

/* Adds the events that happen before these events to the row of one. */
static inline void clocks_join(struct clocks *clocks, uint32_t event, const uint32_t *others, size_t count) {
    uint64_t base = clocks_at(clocks, event)->base;
    uint32_t floor = clocks_at(clocks, event)->floor;
    for (size_t i = 0; i < count; i++) {
        const struct clock *from = clocks_at(clocks, others[i]);
        uint32_t last = others[i] / 64;
        if (floor == last && from->floor != PACKED) {
            clocks->words[base + floor] |= clocks->words[from->base + floor];
        } else if (floor + 1 <= last + 1) { /* or the row is packed */
            clocks_join_long(clocks, event, others[i]);
            base = clocks_at(clocks, event)->base;
            floor = clocks_at(clocks, event)->floor;
        }
    }
}

/* Raises the floor of the newest row as far as possible. */
void clocks_raise(struct clocks *clocks);

void clocks_finish_packed(struct clocks *clocks, uint32_t event, const uint32_t *others, size_t count);

/* Adds these events themselves to the newest row, which completes it. */
static inline void clocks_finish(struct clocks *clocks, uint32_t event, const uint32_t *others, size_t count) {
    const struct clock *clock = clocks_at(clocks, event);
    uint32_t floor = clock->floor;
    uint64_t *row = clocks->words + clock->base;
    if (floor == PACKED) {
        clocks_finish_packed(clocks, event, others, count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t word = others[i] / 64;
        if (word >= floor) {
            row[word] |= UINT64_C(1) << others[i] % 64;
        }
    }
    if (row[floor] == UINT64_MAX) {
        clocks_raise(clocks);
    }
}

static inline void clocks_pop(struct clocks *clocks) {
    const struct clock *clock = clocks_at(clocks, (uint32_t)--clocks->clocks.count);
    clocks->used = clock->base + (clock->floor == PACKED ? 0 : clock->floor);
}

/* Adds the events that happen before an event to a set of bits, from one word of the set on. */
void clocks_add_to(const struct clocks *clocks, uint32_t event, uint64_t *set, uint32_t first);
/* Does an event in a set of bits, from one word of it on, happen before the event? */
bool clocks_meet(const struct clocks *clocks, uint32_t event, const uint64_t *set, uint32_t first);

#endif
