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

static inline bool clocks_before(const struct clocks *clocks, uint32_t earlier, uint32_t later) {
    const struct clock *clock = clocks_at(clocks, later);
    uint32_t word = earlier / 64;
    return earlier < later && (word < clock->floor || clocks->words[clock->base + word] >> earlier % 64 & 1);
}

/* A row for the next event: what is below the floor is in it.  Then what happens before other events, and these events
 * themselves, are added. */
static inline void clocks_push(struct clocks *clocks, uint32_t floor) {
    uint32_t last = (uint32_t)clocks->clocks.count / 64;
    if (clocks->used + (last - floor) + 1 > clocks->capacity) {
        clocks_grow(clocks, last - floor + 1);
    }
    *(struct clock *)vector_room(&clocks->clocks) = (struct clock){.base = clocks->used - floor, .floor = floor};
    for (uint32_t word = floor; word <= last; word++) {
        clocks->words[clocks->used++] = 0;
    }
}

static inline void clocks_join(struct clocks *clocks, uint32_t event, uint32_t other) {
    struct clock to = *clocks_at(clocks, event);
    struct clock from = *clocks_at(clocks, other);
    uint32_t word = to.floor;
    for (; word < from.floor; word++) {
        clocks->words[to.base + word] = UINT64_MAX;
    }
    for (; word <= other / 64; word++) {
        clocks->words[to.base + word] |= clocks->words[from.base + word];
    }
}

static inline void clocks_put(struct clocks *clocks, uint32_t event, uint32_t other) {
    const struct clock *clock = clocks_at(clocks, event);
    if (other / 64 >= clock->floor) {
        clocks->words[clock->base + other / 64] |= UINT64_C(1) << other % 64;
    }
}

/* The newest row is complete: raises its floor as far as possible. */
void clocks_settle(struct clocks *clocks);

static inline void clocks_pop(struct clocks *clocks) {
    const struct clock *clock = clocks_at(clocks, (uint32_t)--clocks->clocks.count);
    clocks->used = clock->base + clock->floor;
}

/* Adds what happens before an event to a set of bits, from a word of it on. */
void clocks_add_to(const struct clocks *clocks, uint32_t event, uint64_t *set, uint32_t first);
/* Is anything in a set of bits, from a word of it on, that happens before the event? */
bool clocks_meet(const struct clocks *clocks, uint32_t event, const uint64_t *set, uint32_t first);

#endif
