/* Values that a word can have, as the data-flow analysis knows them: a union of a few parts.
 *
 * A part is an arithmetic progression: low, low + stride, ..., high, as unsigned 64-bit numbers.  It is a set of
 * numbers (object NUMBERS), or of addresses in one object, given as offsets from where the object begins.  A part with
 * high == UINT64_MAX and low < stride is closed under wrap-around if its stride is a power of two: "all numbers that
 * are low modulo stride".
 *
 * A value that is `any` can be everything, addresses of all objects among it. */
#ifndef PICKET_PROVE_VALUE_H
#define PICKET_PROVE_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ir/instruction.h"

#define VALUE_PARTS 8
#define NUMBERS 0u /* in place of an object */

struct part {
    uint32_t object;
    uint32_t unused;
    uint64_t low;
    uint64_t high;
    uint64_t stride; /* 0: low == high */
};

/* Parts are sorted and unused ones are 0, so equal values have equal bytes. */
struct value {
    uint8_t any;
    uint8_t count; /* 0: no value at all, nothing comes here */
    uint8_t unused[6];
    struct part parts[VALUE_PARTS];
};

struct value value_none(void);
struct value value_any(void);
struct value value_number(uint64_t number);
struct value value_range(uint64_t low, uint64_t high);
struct value value_width(unsigned bits); /* all numbers of this width; with 64 bits without addresses */
struct value value_address(uint32_t object, uint64_t offset);

static inline bool value_is_none(const struct value *value) {
    return !value->any && value->count == 0;
}

/* Only one number, or only one address. */
static inline bool value_is_single(const struct value *value) {
    return !value->any && value->count == 1 && value->parts[0].stride == 0;
}
bool value_is_number(const struct value *value, uint64_t *number);
bool value_has_object(const struct value *value); /* some part is of an object, or it is any */

static inline uint64_t bits_mask(unsigned bits) {
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

/* Does the part hold the number or offset? */
bool part_holds(const struct part *part, uint64_t number);

void value_add_part(struct value *value, struct part part);

/* Adds the other's values; true if there are more now. */
bool value_join(struct value *value, const struct value *other);

/* Makes ranges grow to the next of the (ascending) thresholds, so that the analysis of loops ends. */
void value_widen(struct value *value, const uint64_t *thresholds, size_t count);

/* The result of an operation of `width` bits: ADD to ASHR. */
struct value value_binary(enum op op, unsigned width, const struct value *a, const struct value *b);
struct value value_sext(unsigned from, unsigned to, const struct value *a);
struct value value_trunc(unsigned width, const struct value *a);

/* What is left of a value that compares like this with a number. */
struct value value_compared(const struct value *value, enum predicate predicate, unsigned width, uint64_t number);

/* 1: the comparison holds for all values, 0: for none, -1: it is not known. */
int value_compare(enum predicate predicate, unsigned width, const struct value *a, const struct value *b);

enum predicate predicate_negated(enum predicate predicate);
enum predicate predicate_swapped(enum predicate predicate);

#endif
