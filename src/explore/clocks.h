/* Clocks: for each event of an execution the set of those that happen before it, as a row of bits.
 *
 * Everything below its floor happens before an event; of its row only the words from there on are kept.  So rows stay
 * short, however long the execution is, while one thread runs alone and while the threads keep in step.  Each event is
 * asked for many times: what is short is inline. */
#ifndef PICKET_EXPLORE_CLOCKS_H
#define PICKET_EXPLORE_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "util/vector.h"

struct clock {
    uint64_t base;  /* word w of the row is words[base + w] */
    uint32_t floor; /* the first word that is kept */
};

struct clocks {
    struct vector clocks; /* of struct clock, by event */
    uint64_t *words;      /* rows one behind the other, as the events are */
    size_t used;
    size_t capacity;
};

void clocks_init(struct clocks *clocks);
void clocks_delete(struct clocks *clocks);

/* Makes room for so many more words. */
void clocks_grow(struct clocks *clocks, size_t words);

static inline const struct clock *clocks_at(const struct clocks *clocks, uint32_t event) {
    return (const struct clock *)clocks->clocks.data + event;
}

/* Does an event happen before another one, which comes later? */
static inline bool clocks_hold(const struct clocks *clocks, uint32_t later, uint32_t earlier) {
    const struct clock *clock = clocks_at(clocks, later);
    uint32_t word = earlier / 64;
    return word < clock->floor || (clocks->words[clock->base + word] >> earlier % 64 & 1);
}

/* A row for the next event: what is below the floor is in it.  Then what happens before other events, and these events
 * themselves, are added. */
static inline void clocks_push(struct clocks *clocks, uint32_t floor) {
    uint32_t last = (uint32_t)clocks->clocks.count / 64;
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

static inline void clocks_join(struct clocks *clocks, uint32_t event, uint32_t other) {
    const struct clock *to = clocks_at(clocks, event);
    const struct clock *from = clocks_at(clocks, other);
    if (to->floor == other / 64) {
        clocks->words[to->base + to->floor] |= clocks->words[from->base + to->floor];
    } else if (to->floor < other / 64) {
        clocks_join_long(clocks, event, other);
    }
}

static inline void clocks_put(struct clocks *clocks, uint32_t event, uint32_t other) {
    const struct clock *clock = clocks_at(clocks, event);
    if (other / 64 >= clock->floor) {
        clocks->words[clock->base + other / 64] |= UINT64_C(1) << other % 64;
    }
}

/* Raises the floor of the newest row as far as possible. */
void clocks_raise(struct clocks *clocks);

/* The newest row is complete. */
static inline void clocks_settle(struct clocks *clocks) {
    const struct clock *clock = clocks_at(clocks, (uint32_t)clocks->clocks.count - 1);
    if (clocks->words[clock->base + clock->floor] == UINT64_MAX) {
        clocks_raise(clocks);
    }
}

static inline void clocks_pop(struct clocks *clocks) {
    const struct clock *clock = clocks_at(clocks, (uint32_t)--clocks->clocks.count);
    clocks->used = clock->base + clock->floor;
}

/* Adds what happens before an event to a set of bits, from a word of it on. */
void clocks_add_to(const struct clocks *clocks, uint32_t event, uint64_t *set, uint32_t first);
/* Is anything in a set of bits, from a word of it on, that happens before the event? */
bool clocks_meet(const struct clocks *clocks, uint32_t event, const uint64_t *set, uint32_t first);

#endif
