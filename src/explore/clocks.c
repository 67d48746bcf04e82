/* The parts of clocks that are not needed for every event, or not short. */
#include "explore/clocks.h"

#include <stdlib.h>

#include "util/memory.h"

#define FIRST_CAPACITY 256

void clocks_init(struct clocks *clocks) {
    *clocks = (struct clocks){.capacity = FIRST_CAPACITY};
    vector_init(&clocks->clocks, sizeof(struct clock));
    vector_init(&clocks->packed, sizeof(uint64_t));
    clocks->words = memory_allocate(clocks->capacity * sizeof *clocks->words);
}

void clocks_delete(struct clocks *clocks) {
    vector_delete(&clocks->clocks);
    vector_delete(&clocks->packed);
    free(clocks->words);
}

void clocks_grow(struct clocks *clocks, size_t words) {
    clocks->capacity = (clocks->used + words) * 2;
    clocks->words = memory_resize(clocks->words, clocks->capacity * sizeof *clocks->words);
}

/* --- Packed rows -------------------------------------------------------------------------------------------------- */

/* A packed row is a list of runs.  A run begins with a word that has its period in the upper half and its number of
 * words in the lower half.  The words of one period follow, which the run repeats; or all its words, if the period is
 * 0. */
#define LONGEST_PERIOD 4u
#define SHORTEST_REPEAT 8u

/* Reads the words of a row, packed or not, from its floor on. */
struct reader {
    const uint64_t *words; /* of this run, or of the row if it is not packed */
    const uint64_t *run;   /* the next run; NULL: the row is not packed */
    uint32_t period;
    uint32_t at;   /* index of the next word */
    uint32_t left; /* number of words left in this run */
};

static struct reader reader_new(const struct clocks *clocks, const struct clock *clock) {
    bool packed = clock->floor == PACKED;
    const uint64_t *row = clocks->words + clock->base + (packed ? 1 : clock->floor);
    return (struct reader){.words = row, .run = packed ? row : NULL};
}

static void reader_begin_run(struct reader *reader) {
    reader->period = (uint32_t)(*reader->run >> 32);
    reader->left = (uint32_t)*reader->run;
    reader->words = reader->run + 1;
    reader->run += 1 + (reader->period > 0 ? reader->period : reader->left);
    reader->at = 0;
}

static uint64_t reader_next(struct reader *reader) {
    if (reader->run && reader->left == 0) {
        reader_begin_run(reader);
    }
    reader->left -= reader->run != NULL;
    uint64_t word = reader->words[reader->at++];
    if (reader->at == reader->period) {
        reader->at = 0;
    }
    return word;
}

/* Skips words. */
static void reader_skip(struct reader *reader, uint32_t words) {
    while (reader->run && words > 0) {
        if (reader->left == 0) {
            reader_begin_run(reader);
        }
        uint32_t passed = words < reader->left ? words : reader->left;
        reader->at = reader->period > 0 ? (reader->at + passed) % reader->period : reader->at + passed;
        reader->left -= passed;
        words -= passed;
    }
    reader->at += words;
}

bool clocks_packed_hold(const struct clocks *clocks, const struct clock *clock, uint32_t earlier) {
    uint32_t floor = (uint32_t)clocks->words[clock->base];
    if (earlier / 64 < floor) {
        return true;
    }
    struct reader reader = reader_new(clocks, clock);
    reader_skip(&reader, earlier / 64 - floor);
    return reader_next(&reader) >> earlier % 64 & 1;
}

/* The number of words from `from` on that repeat themselves, and their period; 0 if that does not deserve a run. */
static uint32_t repeats(const uint64_t *row, uint32_t from, uint32_t end, uint32_t *period) {
    for (*period = 1; *period <= LONGEST_PERIOD; ++*period) {
        uint32_t at = from + *period;
        while (at < end && row[at] == row[at - *period]) {
            at++;
        }
        if (at - from >= SHORTEST_REPEAT) {
            return at - from;
        }
    }
    *period = 0;
    return 0;
}

void clocks_pack(struct clocks *clocks) {
    struct clock *clock = vector_at(&clocks->clocks, clocks->clocks.count - 1);
    size_t start = clock->base + clock->floor;
    const uint64_t *row = clocks->words + start;
    uint32_t count = (uint32_t)(clocks->used - start);
    clocks->packed.count = 0;
    vector_push(&clocks->packed, &(uint64_t){clock->floor});
    for (uint32_t i = 0; i < count;) {
        uint32_t period;
        uint32_t length = repeats(row, i, count, &period);
        uint32_t next_period;
        while (period == 0 && i + length < count &&
               (length == 0 || repeats(row, i + length, count, &next_period) == 0)) {
            length++;
        }
        uint32_t kept = period > 0 ? period : length;
        if (clocks->packed.count + 1 + kept > count / 4) {
            return;
        }
        vector_push(&clocks->packed, &(uint64_t){(uint64_t)period << 32 | length});
        for (uint32_t k = 0; k < kept; k++) {
            vector_push(&clocks->packed, &row[i + k]);
        }
        i += length;
    }
    memcpy(clocks->words + start, clocks->packed.data, clocks->packed.count * sizeof(uint64_t));
    clocks->used = start + clocks->packed.count;
    *clock = (struct clock){.base = start, .floor = PACKED};
}

/* --- Rows that are packed from the start -------------------------------------------------------------------------- */

bool clocks_push_packed(struct clocks *clocks, uint32_t floor) {
    if (clocks->clocks.count == 0) {
        return false;
    }
    if (clocks_at(clocks, (uint32_t)clocks->clocks.count - 1)->floor != PACKED) {
        clocks_pack(clocks); /* it is about as long as the next row */
    }
    if (clocks_at(clocks, (uint32_t)clocks->clocks.count - 1)->floor != PACKED) {
        return false;
    }
    if (clocks->used + 3 > clocks->capacity) {
        clocks_grow(clocks, 3);
    }
    uint32_t length = (uint32_t)clocks->clocks.count / 64 - floor + 1;
    *(struct clock *)vector_room(&clocks->clocks) = (struct clock){.base = clocks->used, .floor = PACKED};
    clocks->words[clocks->used++] = floor;
    clocks->words[clocks->used++] = UINT64_C(1) << 32 | length;
    clocks->words[clocks->used++] = 0;
    return true;
}

static uint64_t *packed_word(struct clocks *clocks, size_t index) {
    return (uint64_t *)clocks->packed.data + index;
}

/* Adds a run of words that repeat themselves, or begins a run of other words. */
static void begin_run(struct clocks *clocks, const uint64_t *words, uint32_t period, uint32_t length) {
    clocks->run = clocks->packed.count;
    vector_push(&clocks->packed, &(uint64_t){(uint64_t)period << 32 | length});
    for (uint32_t i = 0; i < (period ? period : length); i++) {
        vector_push(&clocks->packed, &words[i]);
    }
}

/* Do these words, which repeat themselves, continue the last run? */
static bool goes_on(struct clocks *clocks, const uint64_t *words, uint32_t period) {
    uint64_t run = clocks->run > 0 ? *packed_word(clocks, clocks->run) : 0;
    uint32_t last = (uint32_t)(run >> 32);
    if (last == 0 || last % period != 0) {
        return false;
    }
    for (uint32_t i = 0; i < last; i++) {
        if (*packed_word(clocks, clocks->run + 1 + ((uint32_t)run + i) % last) != words[i % period]) {
            return false;
        }
    }
    return true;
}

/* If the words at the end of the last run, which has no period, now repeat themselves, splits them off as a run of
 * their own. */
static void split_run(struct clocks *clocks) {
    uint32_t length = (uint32_t)*packed_word(clocks, clocks->run);
    const uint64_t *words = packed_word(clocks, clocks->run + 1);
    uint32_t period;
    if (length < SHORTEST_REPEAT || repeats(words, length - SHORTEST_REPEAT, length, &period) == 0) {
        return;
    }
    uint64_t repeated[LONGEST_PERIOD];
    uint32_t kept = length - SHORTEST_REPEAT;
    memcpy(repeated, words + kept, period * sizeof *words);
    *packed_word(clocks, clocks->run) = kept;
    clocks->packed.count = kept > 0 ? clocks->run + 1 + kept : clocks->run;
    begin_run(clocks, repeated, period, SHORTEST_REPEAT);
}

static void add_word(struct clocks *clocks, uint64_t word) {
    uint64_t run = clocks->run > 0 ? *packed_word(clocks, clocks->run) : 0;
    uint32_t period = (uint32_t)(run >> 32);
    if (clocks->run == 0 || (period > 0 && word != *packed_word(clocks, clocks->run + 1 + (uint32_t)run % period))) {
        begin_run(clocks, &word, 0, 1);
        return;
    }
    ++*packed_word(clocks, clocks->run);
    if (period == 0) {
        vector_push(&clocks->packed, &word);
        split_run(clocks);
    }
}

/* A row as a sequence of parts that repeat themselves or not: words that are all the same, words of a row, and
 * zeros. */
struct parts {
    uint64_t first;
    uint32_t firsts; /* number of the first words */
    uint32_t own;    /* number of words of the row */
    uint32_t zeros;
    struct reader reader;
    const uint64_t *words; /* of this part */
    uint32_t period;
    uint32_t at;
    uint32_t left;
};

static void parts_begin(struct parts *parts) {
    static const uint64_t zero;
    parts->period = 1;
    parts->at = 0;
    if (parts->firsts > 0) {
        parts->words = &parts->first;
        parts->left = parts->firsts;
        parts->firsts = 0;
    } else if (parts->own > 0) {
        struct reader *reader = &parts->reader;
        if (reader->run && reader->left == 0) {
            reader_begin_run(reader);
        }
        parts->words = reader->words;
        parts->period = reader->run ? reader->period : 0;
        parts->at = reader->at;
        parts->left = reader->run && reader->left < parts->own ? reader->left : parts->own;
        parts->own -= parts->left;
        reader_skip(reader, parts->left);
    } else {
        parts->words = &zero;
        parts->left = parts->zeros;
    }
}

static uint64_t parts_word(const struct parts *parts, uint32_t index) {
    uint32_t at = parts->at + index;
    return parts->words[parts->period > 0 ? at % parts->period : at];
}

static void parts_pass(struct parts *parts, uint32_t words) {
    parts->at += words;
    parts->at = parts->period > 0 ? parts->at % parts->period : parts->at;
    parts->left -= words;
}

/* Adds as many words as both have in their present parts, united. */
static void add_parts(struct clocks *clocks, struct parts *one, struct parts *other) {
    uint32_t count = one->left < other->left ? one->left : other->left;
    uint32_t period = one->period > other->period ? one->period : other->period;
    bool repeat = one->period > 0 && other->period > 0 && period % one->period == 0 && period % other->period == 0;
    uint64_t words[LONGEST_PERIOD];
    for (uint32_t i = 0; repeat && i < period; i++) {
        words[i] = parts_word(one, i) | parts_word(other, i);
    }
    if (repeat && goes_on(clocks, words, period)) {
        *packed_word(clocks, clocks->run) += count;
    } else if (repeat && count >= SHORTEST_REPEAT) {
        begin_run(clocks, words, period, count);
    } else {
        for (uint32_t i = 0; i < count; i++) {
            add_word(clocks, parts_word(one, i) | parts_word(other, i));
        }
    }
    parts_pass(one, count);
    parts_pass(other, count);
}

/* Replaces the newest row by the one in `packed`. */
static void replace_newest(struct clocks *clocks) {
    size_t base = clocks_at(clocks, (uint32_t)clocks->clocks.count - 1)->base;
    clocks->used = base;
    if (base + clocks->packed.count > clocks->capacity) {
        clocks_grow(clocks, clocks->packed.count);
    }
    memcpy(clocks->words + base, clocks->packed.data, clocks->packed.count * sizeof(uint64_t));
    clocks->used += clocks->packed.count;
}

/* Unpacks the newest row. */
static void unpack_newest(struct clocks *clocks) {
    struct clock *clock = vector_at(&clocks->clocks, clocks->clocks.count - 1);
    uint32_t floor = (uint32_t)clocks->words[clock->base];
    struct reader reader = reader_new(clocks, clock);
    clocks->packed.count = 0;
    for (uint32_t word = floor; word <= (clocks->clocks.count - 1) / 64; word++) {
        vector_push(&clocks->packed, &(uint64_t){reader_next(&reader)});
    }
    replace_newest(clocks);
    *clock = (struct clock){.base = clock->base - floor, .floor = floor};
}

/* Joins a row to the newest one, which is packed and has `length` words; unpacks the newest row if it gets too long. */
static void join_parts(struct clocks *clocks, uint32_t length, struct parts *other) {
    const struct clock *clock = clocks_at(clocks, (uint32_t)clocks->clocks.count - 1);
    struct parts own = {.own = length, .reader = reader_new(clocks, clock)};
    clocks->packed.count = 0;
    vector_push(&clocks->packed, &clocks->words[clock->base]);
    clocks->run = 0;
    for (uint32_t left = length; left > 0;) {
        if (own.left == 0) {
            parts_begin(&own);
        }
        if (other->left == 0) {
            parts_begin(other);
        }
        left -= own.left < other->left ? own.left : other->left;
        add_parts(clocks, &own, other);
    }
    size_t packed = clocks->packed.count;
    replace_newest(clocks);
    if (packed > LONG_ROW && packed > length / 2) {
        unpack_newest(clocks);
    }
}

static void join_packed(struct clocks *clocks, uint32_t event, uint32_t other) {
    uint32_t to = clocks_floor(clocks, event);
    uint32_t from = clocks_floor(clocks, other);
    uint32_t length = event / 64 - to + 1;
    if (other / 64 < to) {
        return;
    }
    struct parts parts = {.first = UINT64_MAX, .reader = reader_new(clocks, clocks_at(clocks, other))};
    if (from > to) {
        parts.firsts = from - to;
    } else {
        reader_skip(&parts.reader, to - from);
    }
    parts.own = other / 64 - to + 1 - parts.firsts;
    parts.zeros = length - parts.firsts - parts.own;
    join_parts(clocks, length, &parts);
}

static void put_packed(struct clocks *clocks, uint32_t event, uint32_t other) {
    uint32_t floor = clocks_floor(clocks, event);
    if (other / 64 < floor || clocks_hold(clocks, event, other)) {
        return;
    }
    uint64_t word = UINT64_C(1) << other % 64;
    uint32_t length = event / 64 - floor + 1;
    struct parts parts = {.firsts = other / 64 - floor, .own = 1, .reader = {.words = &word}};
    parts.zeros = length - parts.firsts - 1;
    join_parts(clocks, length, &parts);
}

/* Raises the floor of the newest row, which is packed, above words that are full. */
static void raise_packed(struct clocks *clocks) {
    const struct clock *clock = clocks_at(clocks, (uint32_t)clocks->clocks.count - 1);
    uint32_t floor = (uint32_t)clocks->words[clock->base];
    uint32_t length = (uint32_t)(clocks->clocks.count - 1) / 64 - floor + 1;
    struct parts parts = {.own = length, .reader = reader_new(clocks, clock)};
    static const uint64_t zero;
    uint32_t full = 0;
    for (bool goes = true; goes;) {
        parts_begin(&parts);
        while (parts.left > 0 && (goes = parts_word(&parts, 0) == UINT64_MAX)) {
            uint32_t passed = parts.period == 1 ? parts.left : 1;
            parts_pass(&parts, passed);
            full += passed;
        }
    }
    if (full == 0) {
        return;
    }
    clocks->packed.count = 0;
    vector_push(&clocks->packed, &(uint64_t){floor + full});
    clocks->run = 0;
    for (uint32_t left = length - full; left > 0;) {
        struct parts nothing = {.words = &zero, .period = 1, .left = left};
        if (parts.left == 0) {
            parts_begin(&parts);
        }
        left -= parts.left < left ? parts.left : left;
        add_parts(clocks, &parts, &nothing);
    }
    replace_newest(clocks);
}

/* --- All rows ----------------------------------------------------------------------------------------------------- */

/* A row that is not packed needs no reader. */
static bool is_plain(const struct clocks *clocks, uint32_t event) {
    return clocks_at(clocks, event)->floor != PACKED;
}

void clocks_join_long(struct clocks *clocks, uint32_t event, uint32_t other) {
    if (!is_plain(clocks, event)) {
        join_packed(clocks, event, other);
        return;
    }
    struct clock to = *clocks_at(clocks, event);
    uint32_t floor = clocks_floor(clocks, other);
    uint32_t word = to.floor;
    for (; word < floor; word++) {
        clocks->words[to.base + word] = UINT64_MAX;
    }
    struct reader reader = reader_new(clocks, clocks_at(clocks, other));
    reader_skip(&reader, word - floor);
    for (; word <= other / 64; word++) {
        clocks->words[to.base + word] |= reader_next(&reader);
    }
}

void clocks_raise(struct clocks *clocks) {
    struct clock *clock = vector_at(&clocks->clocks, clocks->clocks.count - 1);
    if (clock->floor == PACKED) {
        raise_packed(clocks);
        return;
    }
    uint64_t *row = clocks->words + clock->base + clock->floor;
    uint32_t full = 0;
    while (row[full] == UINT64_MAX) { /* the last word is not full: the event's own bit is clear */
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
    uint32_t floor = clocks_floor(clocks, event);
    uint32_t word = first;
    for (; word < floor; word++) {
        set[word] = UINT64_MAX;
    }
    if (is_plain(clocks, event)) {
        const uint64_t *row = clocks->words + clocks_at(clocks, event)->base;
        for (; word <= event / 64; word++) {
            set[word] |= row[word];
        }
        return;
    }
    struct reader reader = reader_new(clocks, clocks_at(clocks, event));
    reader_skip(&reader, word - floor);
    for (; word <= event / 64; word++) {
        set[word] |= reader_next(&reader);
    }
}

bool clocks_meet(const struct clocks *clocks, uint32_t event, const uint64_t *set, uint32_t first) {
    uint32_t floor = clocks_floor(clocks, event);
    uint32_t word = first;
    for (; word < floor; word++) {
        if (set[word]) {
            return true;
        }
    }
    if (is_plain(clocks, event)) {
        const uint64_t *row = clocks->words + clocks_at(clocks, event)->base;
        for (; word <= event / 64; word++) {
            if (set[word] & row[word]) {
                return true;
            }
        }
        return false;
    }
    struct reader reader = reader_new(clocks, clocks_at(clocks, event));
    reader_skip(&reader, word - floor);
    for (; word <= event / 64; word++) {
        if (set[word] & reader_next(&reader)) {
            return true;
        }
    }
    return false;
}

void clocks_finish_packed(struct clocks *clocks, uint32_t event, const uint32_t *others, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!is_plain(clocks, event)) {
            put_packed(clocks, event, others[i]);
        } else { /* it is too long to be packed */
            clocks_finish(clocks, event, others + i, count - i);
            return;
        }
    }
    clocks_raise(clocks);
}
