/* Sets of values that a 64-bit word can have.
 *
 * A set is made of at most SET_MOST stretches: each begins at a base, and all have the same length and stride.
 * Stretches of one value are values by name; one long stretch is a range, which may wrap modulo 2^64; several are,
 * mostly, addresses in several objects.  Sets are interned: equal sets have equal numbers.  They over-approximate; an
 * operation whose result is not known well gives a larger set.
 *
 * Invariants (asserted where sets are made):
 *   V1  bases ascend;
 *   V2  stretches of one value have stride 0, longer ones another;
 *   V3  several long stretches neither overlap nor wrap. */
#ifndef PICKET_SEQ_SET_H
#define PICKET_SEQ_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "ir/instruction.h"
#include "util/vector.h"

#define SET_MOST 64

typedef uint32_t set_id;

struct set_data {
    uint32_t count;  /* of bases; 0 in set number 0, which is none */
    uint32_t first;  /* where they are */
    uint64_t extent; /* last value of a stretch minus the first */
    uint64_t stride;
};

struct sets {
    struct vector data;  /* of struct set_data */
    struct vector bases; /* of uint64_t */
    uint32_t *table;
    size_t table_size;
};

void sets_init(struct sets *sets);
void sets_delete(struct sets *sets);

set_id set_of(struct sets *sets, uint64_t value);
set_id set_of_width(struct sets *sets, unsigned width);                             /* every value of this width */
set_id set_range(struct sets *sets, uint64_t low, uint64_t steps, uint64_t stride); /* steps + 1 values */
set_id set_of_values(struct sets *sets, uint64_t *values, size_t count);            /* sorts them */
set_id set_join(struct sets *sets, set_id one, set_id other);

/* The values, if they are known by name; otherwise NULL and 0. */
const uint64_t *set_values(const struct sets *sets, set_id of, size_t *count);
/* The bases of its stretches, whatever their length. */
const uint64_t *set_bases(const struct sets *sets, set_id of, size_t *count);
const struct set_data *set_data(const struct sets *sets, set_id of);
/* Is it one long stretch, or are all its values below every address? */
bool set_is_numbers(const struct sets *sets, set_id of);
/* The smallest and largest value, if no stretch wraps; otherwise 0 and 2^64 - 1. */
void set_bounds(const struct sets *sets, set_id of, uint64_t *low, uint64_t *high);
bool set_has(const struct sets *sets, set_id of, uint64_t value);
/* The smallest value from `least` on; false if there is none. */
bool set_next(const struct sets *sets, set_id of, uint64_t least, uint64_t *value);

/* Only the values between low and high. */
set_id set_within(struct sets *sets, set_id of, uint64_t low, uint64_t high);
set_id set_without(struct sets *sets, set_id of, uint64_t value);

/* Results of an operation (ADD to SELECT of ir/instruction.h) that writes one register. */
set_id set_apply(struct sets *sets, const struct instruction *instruction, set_id a, set_id b, set_id c);

/* Of each value the bytes from `low` on; 0 for 0. */
set_id set_part(struct sets *sets, set_id of, unsigned low, unsigned count);

#endif
