/* Sets of values that a 64-bit word can have: up to SET_MOST values by name, or a range with a stride.
 *
 * A range is first, first + stride, ..., `steps` times, modulo 2^64.  Sets are interned: equal sets have equal numbers.
 * They over-approximate; an operation whose result is not known well gives a larger set. */
#ifndef PICKET_SEQ_SET_H
#define PICKET_SEQ_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "ir/instruction.h"
#include "util/vector.h"

#define SET_MOST 64

typedef uint32_t set_id;

struct set_data {
    uint32_t count; /* of values by name, ascending; 0: a range */
    uint32_t first; /* where they are */
    uint64_t low;
    uint64_t steps;
    uint64_t stride;
};

struct sets {
    struct vector data;   /* of struct set_data */
    struct vector values; /* of uint64_t */
    uint32_t *table;
    size_t table_size;
};

void sets_init(struct sets *sets);
void sets_delete(struct sets *sets);

set_id set_of(struct sets *sets, uint64_t value);
set_id set_of_width(struct sets *sets, unsigned width); /* every value of so few bits */
set_id set_range(struct sets *sets, uint64_t low, uint64_t steps, uint64_t stride);
set_id set_of_values(struct sets *sets, uint64_t *values, size_t count); /* sorts them */
set_id set_join(struct sets *sets, set_id one, set_id other);

/* The named values; NULL if it is a range. */
const uint64_t *set_values(const struct sets *sets, set_id of, size_t *count);
const struct set_data *set_data(const struct sets *sets, set_id of);
bool set_is_range(const struct sets *sets, set_id of);
/* The smallest and largest value, if the range does not wrap; otherwise 0 and 2^64 - 1. */
void set_bounds(const struct sets *sets, set_id of, uint64_t *low, uint64_t *high);
bool set_has(const struct sets *sets, set_id of, uint64_t value);

/* Only the values between low and high. */
set_id set_within(struct sets *sets, set_id of, uint64_t low, uint64_t high);
set_id set_without(struct sets *sets, set_id of, uint64_t value);

/* Results of an operation (ADD to SELECT of ir/instruction.h) that writes one register. */
set_id set_apply(struct sets *sets, const struct instruction *instruction, set_id a, set_id b, set_id c);

#endif
