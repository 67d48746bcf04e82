/* What is not done for every event, or not short. */
#include "explore/clocks.h"

#include <stdlib.h>

#include "util/memory.h"

#define FIRST_CAPACITY 256

void clocks_init(struct clocks *clocks) {
    *clocks = (struct clocks){.capacity = FIRST_CAPACITY};
    vector_init(&clocks->clocks, sizeof(struct clock));
    clocks->words = memory_allocate(clocks->capacity * sizeof *clocks->words);
}

void clocks_delete(struct clocks *clocks) {
    vector_delete(&clocks->clocks);
    free(clocks->words);
}

void clocks_grow(struct clocks *clocks, size_t words) {
    clocks->capacity = (clocks->used + words) * 2;
    clocks->words = memory_resize(clocks->words, clocks->capacity * sizeof *clocks->words);
}

void clocks_join_long(struct clocks *clocks, uint32_t event, uint32_t other) {
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

void clocks_raise(struct clocks *clocks) {
    struct clock *clock = vector_at(&clocks->clocks, clocks->clocks.count - 1);
    uint64_t *row = clocks->words + clock->base + clock->floor;
    uint32_t full = 0;
    while (row[full] == UINT64_MAX) { /* the last word is not: the event's own bit is in it */
        full++;
    }
    if (full > 0) {
        clocks->used -= full;
        clock->floor += full;
        clock->base -= full;
        memmove(row, row + full, (size_t)(clocks->words + clocks->used - row) * sizeof *row);
    }
}

void clocks_add_to(const struct clocks *clocks, uint32_t event, uint64_t *set, uint32_t first) {
    const struct clock *clock = clocks_at(clocks, event);
    uint32_t word = first;
    for (; word < clock->floor; word++) {
        set[word] = UINT64_MAX;
    }
    for (; word <= event / 64; word++) {
        set[word] |= clocks->words[clock->base + word];
    }
}

bool clocks_meet(const struct clocks *clocks, uint32_t event, const uint64_t *set, uint32_t first) {
    const struct clock *clock = clocks_at(clocks, event);
    uint32_t word = first;
    for (; word < clock->floor; word++) {
        if (set[word]) {
            return true;
        }
    }
    for (; word <= event / 64; word++) {
        if (set[word] & clocks->words[clock->base + word]) {
            return true;
        }
    }
    return false;
}
