/* Arithmetic on sets of values.  Every operation over-approximates: what it cannot follow becomes all numbers of the
 * width, or any value where addresses take part. */
#include "prove/value.h"

#include <stdlib.h>
#include <string.h>

#include "machine/arithmetic.h"

typedef unsigned __int128 wide;

struct value value_none(void) {
    return (struct value){0};
}

struct value value_any(void) {
    return (struct value){.any = 1};
}

struct value value_number(uint64_t number) {
    return (struct value){.count = 1, .parts = {{.low = number, .high = number}}};
}

struct value value_range(uint64_t low, uint64_t high) {
    return (struct value){.count = 1, .parts = {{.low = low, .high = high, .stride = low != high}}};
}

struct value value_width(unsigned bits) {
    return value_range(0, bits_mask(bits));
}

struct value value_address(uint32_t object, uint64_t offset) {
    return (struct value){.count = 1, .parts = {{.object = object, .low = offset, .high = offset}}};
}

bool value_is_number(const struct value *value, uint64_t *number) {
    *number = value->parts[0].low;
    return value_is_single(value) && value->parts[0].object == NUMBERS;
}

bool value_has_object(const struct value *value) {
    for (unsigned i = 0; i < value->count; i++) {
        if (value->parts[i].object != NUMBERS) {
            return true;
        }
    }
    return value->any;
}

bool part_holds(const struct part *part, uint64_t number) {
    return part->stride == 0 ? number == part->low
                             : number >= part->low && number <= part->high && (number - part->low) % part->stride == 0;
}

static uint64_t gcd(uint64_t a, uint64_t b) {
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* --- Unions ------------------------------------------------------------------------------------------------------- */

static bool part_covers(const struct part *part, const struct part *other) {
    return part->object == other->object && part_holds(part, other->low) && part_holds(part, other->high) &&
           (part->stride == 0 || other->stride % part->stride == 0);
}

static struct part part_hull(const struct part *one, const struct part *other) {
    uint64_t low = one->low < other->low ? one->low : other->low;
    uint64_t high = one->high > other->high ? one->high : other->high;
    uint64_t distance = one->low > other->low ? one->low - other->low : other->low - one->low;
    struct part hull = {.object = one->object, .low = low, .stride = gcd(gcd(one->stride, other->stride), distance)};
    /* What is closed under wrap-around stays so with a stride that is a power of two. */
    hull.high = hull.stride > 0 ? low + (high - low) / hull.stride * hull.stride : low;
    return hull;
}

static int compare_parts(const void *left, const void *right) {
    const struct part *a = left;
    const struct part *b = right;
    if (a->object != b->object) {
        return a->object < b->object ? -1 : 1;
    }
    if (a->low != b->low) {
        return a->low < b->low ? -1 : 1;
    }
    return a->high < b->high ? -1 : a->high > b->high;
}

static void remove_part(struct value *value, unsigned index) {
    value->parts[index] = value->parts[--value->count];
    memset(&value->parts[value->count], 0, sizeof value->parts[0]);
}

/* Makes room by joining two parts of one object. */
static bool join_two(struct value *value, uint32_t preferred) {
    for (unsigned i = 0; i < value->count; i++) {
        for (unsigned j = i + 1; j < value->count; j++) {
            if (value->parts[i].object == value->parts[j].object && value->parts[i].object == preferred) {
                value->parts[i] = part_hull(&value->parts[i], &value->parts[j]);
                remove_part(value, j);
                return true;
            }
        }
    }
    return false;
}

static bool make_room(struct value *value, uint32_t preferred) {
    if (join_two(value, preferred)) {
        return true;
    }
    for (unsigned i = 0; i < value->count; i++) {
        if (join_two(value, value->parts[i].object)) {
            return true;
        }
    }
    return false;
}

void value_add_part(struct value *value, struct part part) {
    if (value->any) {
        return;
    }
    for (unsigned i = 0; i < value->count; i++) {
        if (part_covers(&value->parts[i], &part)) {
            return;
        }
    }
    for (unsigned i = 0; i < value->count;) {
        if (part_covers(&part, &value->parts[i])) {
            remove_part(value, i);
        } else {
            i++;
        }
    }
    while (value->count == VALUE_PARTS) {
        if (!make_room(value, part.object)) {
            *value = value_any();
            return;
        }
    }
    part.unused = 0;
    value->parts[value->count++] = part;
    if (value->count > 1) {
        qsort(value->parts, value->count, sizeof value->parts[0], compare_parts);
    }
}

bool value_join(struct value *value, const struct value *other) {
    struct value before = *value;
    if (other->any) {
        *value = value_any();
    }
    for (unsigned i = 0; i < other->count; i++) {
        value_add_part(value, other->parts[i]);
    }
    return memcmp(&before, value, sizeof before) != 0;
}

void value_widen(struct value *value, const uint64_t *thresholds, size_t count) {
    struct value wide_value = value_none();
    if (value->any) {
        return;
    }
    while (value->count > 1 && make_room(value, NUMBERS)) {
    }
    for (unsigned i = 0; i < value->count; i++) {
        struct part part = value->parts[i];
        if (part.low != part.high) {
            uint64_t low = 0;
            uint64_t high = UINT64_MAX;
            for (size_t t = 0; t < count && thresholds[t] <= part.low; t++) {
                low = thresholds[t];
            }
            for (size_t t = count; t-- > 0 && thresholds[t] >= part.high;) {
                high = thresholds[t];
            }
            /* Powers of two survive: the residue stays known. */
            uint64_t stride = part.stride & -part.stride;
            part.low = low + ((part.low - low) % stride);
            part.high = part.low + (high - part.low) / stride * stride;
            part.stride = stride;
            if (part.high < part.low || part.high + stride < part.high) {
                part.low %= stride;
                part.high = UINT64_MAX - (UINT64_MAX - part.low) % stride;
            }
        }
        value_add_part(&wide_value, part);
    }
    *value = wide_value;
}

/* --- Arithmetic --------------------------------------------------------------------------------------------------- */

/* All numbers of the width that are `residue` modulo the power of two in `stride`. */
static struct part residues(uint32_t object, uint64_t residue, uint64_t stride, unsigned width) {
    uint64_t mask = bits_mask(width);
    unsigned bits = stride == 0 ? 0 : (unsigned)__builtin_ctzll(stride);
    if (bits >= width) {
        return (struct part){.object = object, .low = residue & mask, .high = residue & mask};
    }
    residue &= bits_mask(bits);
    return (struct part){.object = object,
                         .low = residue,
                         .high = residue + ((mask - residue) >> bits << bits),
                         .stride = UINT64_C(1) << bits};
}

static struct part part_plus(const struct part *a, const struct part *b, unsigned width) {
    uint64_t mask = bits_mask(width);
    uint32_t object = a->object != NUMBERS ? a->object : b->object;
    uint64_t stride = gcd(a->stride, b->stride);
    wide low = (wide)a->low + b->low;
    wide high = (wide)a->high + b->high;
    if (low > mask && high <= 2 * (wide)mask + 1) {
        low -= (wide)mask + 1;
        high -= (wide)mask + 1;
    }
    if (high > mask) {
        return residues(object, (uint64_t)low, stride, width);
    }
    return (struct part){.object = object, .low = (uint64_t)low, .high = (uint64_t)high, .stride = stride};
}

static struct part part_negated(const struct part *part, unsigned width) {
    uint64_t mask = bits_mask(width);
    if (part->stride == 0) {
        return (struct part){.low = -part->low & mask, .high = -part->low & mask};
    }
    if (part->low == 0) {
        return residues(NUMBERS, 0, part->stride, width);
    }
    return (struct part){.low = -part->high & mask, .high = -part->low & mask, .stride = part->stride};
}

static struct part part_times(const struct part *part, uint64_t factor, unsigned width) {
    uint64_t mask = bits_mask(width);
    if (factor == 0) {
        return (struct part){0};
    }
    wide high = (wide)part->high * factor;
    if (part->stride == 0) {
        return (struct part){.low = (uint64_t)high & mask, .high = (uint64_t)high & mask};
    }
    if (high > mask) {
        return residues(NUMBERS, (uint64_t)((wide)part->low * factor), part->stride * factor, width);
    }
    return (struct part){.low = part->low * factor, .high = part->high * factor, .stride = part->stride * factor};
}

static bool fits(const struct value *value, unsigned width) {
    for (unsigned i = 0; i < value->count; i++) {
        if (value->parts[i].object != NUMBERS || value->parts[i].high > bits_mask(width)) {
            return false;
        }
    }
    return !value->any;
}

static struct value unknown(unsigned width, const struct value *a, const struct value *b) {
    return width >= 64 && (value_has_object(a) || value_has_object(b)) ? value_any() : value_width(width);
}

static struct value add(unsigned width, const struct value *a, const struct value *b) {
    struct value result = value_none();
    for (unsigned i = 0; i < a->count; i++) {
        for (unsigned j = 0; j < b->count; j++) {
            const struct part *x = &a->parts[i];
            const struct part *y = &b->parts[j];
            if ((x->object != NUMBERS && y->object != NUMBERS) ||
                (width < 64 && (x->object != NUMBERS || y->object != NUMBERS))) {
                return unknown(width, a, b);
            }
            value_add_part(&result, part_plus(x, y, width));
        }
    }
    return result;
}

static struct value subtract(unsigned width, const struct value *a, const struct value *b) {
    struct value negated = value_none();
    if (!fits(b, width)) {
        return unknown(width, a, b);
    }
    for (unsigned i = 0; i < b->count; i++) {
        value_add_part(&negated, part_negated(&b->parts[i], width));
    }
    return add(width, a, &negated);
}

static struct value multiply(unsigned width, const struct value *a, uint64_t factor) {
    struct value result = value_none();
    for (unsigned i = 0; i < a->count; i++) {
        value_add_part(&result, part_times(&a->parts[i], factor, width));
    }
    return result;
}

/* Of numbers that fit, with a known second operand. */
static struct value by_number(enum op op, unsigned width, const struct value *a, uint64_t b) {
    uint64_t high = 0;
    for (unsigned i = 0; i < a->count; i++) {
        high = a->parts[i].high > high ? a->parts[i].high : high;
    }
    switch (op) {
    case OP_MUL:
        return multiply(width, a, b);
    case OP_SHL:
        return multiply(width, a, UINT64_C(1) << shift_count(b, width));
    case OP_UDIV:
        return b == 0 ? value_none() : value_range(0, high / b);
    case OP_UREM:
        return b == 0 ? value_none() : value_range(0, high < b - 1 ? high : b - 1);
    case OP_AND:
        return value_range(0, high < b ? high : b);
    case OP_LSHR:
        return value_range(0, high >> shift_count(b, width));
    default:
        return value_width(width);
    }
}

struct value value_binary(enum op op, unsigned width, const struct value *a, const struct value *b) {
    uint64_t one;
    uint64_t other;
    if (value_is_none(a) || value_is_none(b)) {
        return value_none();
    }
    if (a->any || b->any) {
        return unknown(width, a, b);
    }
    if (op == OP_ADD && (width == 64 || (fits(a, width) && fits(b, width)))) {
        return add(width, a, b);
    }
    if (op == OP_SUB && (width == 64 || fits(a, width))) {
        return subtract(width, a, b);
    }
    if (!fits(a, width) || !fits(b, width)) {
        return unknown(width, a, b);
    }
    bool one_known = value_is_number(a, &one);
    bool other_known = value_is_number(b, &other);
    const struct instruction operation = {.op = (uint8_t)op, .width = (uint8_t)width};
    uint64_t result;
    if (one_known && other_known && arithmetic_result(&operation, one, other, 0, &result)) {
        return value_number(result);
    }
    if (other_known) {
        return by_number(op, width, a, other);
    }
    if (one_known && (op == OP_MUL || op == OP_AND)) {
        return by_number(op, width, b, one);
    }
    return value_width(width);
}

struct value value_sext(unsigned from, unsigned to, const struct value *a) {
    uint64_t sign = UINT64_C(1) << (from - 1);
    struct value result = value_none();
    if (!fits(a, from)) {
        return value_is_none(a) ? *a : value_width(to);
    }
    for (unsigned i = 0; i < a->count; i++) {
        struct part part = a->parts[i];
        uint64_t up = bits_mask(to) - bits_mask(from);
        if (part.low >= sign) {
            part.low += up;
            part.high += up;
        } else if (part.high >= sign) {
            part = residues(NUMBERS, part.low, part.stride, to);
        }
        value_add_part(&result, part);
    }
    return result;
}

struct value value_trunc(unsigned width, const struct value *a) {
    struct value result = value_none();
    if (width >= 64 || fits(a, width)) {
        return *a;
    }
    if (a->any) {
        return value_width(width);
    }
    for (unsigned i = 0; i < a->count; i++) {
        struct part part = a->parts[i];
        if (part.object != NUMBERS) {
            return value_width(width);
        }
        if (part.stride == 0) {
            part.low = part.high = part.low & bits_mask(width);
        } else if (part.high > bits_mask(width)) {
            part = residues(NUMBERS, part.low, part.stride, width);
        }
        value_add_part(&result, part);
    }
    return result;
}

/* --- Comparisons -------------------------------------------------------------------------------------------------- */

enum predicate predicate_negated(enum predicate predicate) {
    static const enum predicate negated[PREDICATE_COUNT] = {
        [PREDICATE_EQ] = PREDICATE_NE,   [PREDICATE_NE] = PREDICATE_EQ,   [PREDICATE_ULT] = PREDICATE_UGE,
        [PREDICATE_ULE] = PREDICATE_UGT, [PREDICATE_UGT] = PREDICATE_ULE, [PREDICATE_UGE] = PREDICATE_ULT,
        [PREDICATE_SLT] = PREDICATE_SGE, [PREDICATE_SLE] = PREDICATE_SGT, [PREDICATE_SGT] = PREDICATE_SLE,
        [PREDICATE_SGE] = PREDICATE_SLT};
    return negated[predicate];
}

enum predicate predicate_swapped(enum predicate predicate) {
    static const enum predicate swapped[PREDICATE_COUNT] = {
        [PREDICATE_EQ] = PREDICATE_EQ,   [PREDICATE_NE] = PREDICATE_NE,   [PREDICATE_ULT] = PREDICATE_UGT,
        [PREDICATE_ULE] = PREDICATE_UGE, [PREDICATE_UGT] = PREDICATE_ULT, [PREDICATE_UGE] = PREDICATE_ULE,
        [PREDICATE_SLT] = PREDICATE_SGT, [PREDICATE_SLE] = PREDICATE_SGE, [PREDICATE_SGT] = PREDICATE_SLT,
        [PREDICATE_SGE] = PREDICATE_SLE};
    return swapped[predicate];
}

/* The part cut down to low..high. */
static void add_within(struct value *result, const struct part *part, uint64_t low, uint64_t high) {
    struct part cut = *part;
    if (low > high || part->high < low || part->low > high) {
        return;
    }
    if (cut.stride > 0) {
        if (cut.low < low) {
            uint64_t steps = (low - cut.low + cut.stride - 1) / cut.stride;
            cut.low += steps * cut.stride;
        }
        if (cut.high > high) {
            cut.high -= (cut.high - high + cut.stride - 1) / cut.stride * cut.stride;
        }
        if (cut.low > cut.high) {
            return;
        }
        cut.stride = cut.low == cut.high ? 0 : cut.stride;
    }
    value_add_part(result, cut);
}

/* The numbers x with `x < number`, if `number` is the smallest that is not: as unsigned, or as signed ones. */
static void add_less(struct value *result, const struct part *part, bool is_signed, unsigned width, uint64_t number,
                     bool or_equal) {
    uint64_t sign = UINT64_C(1) << (width - 1);
    uint64_t mask = bits_mask(width);
    uint64_t first = is_signed ? sign : 0; /* the smallest */
    if (!or_equal) {
        if (number == first) {
            return;
        }
        number = (number - 1) & mask;
    }
    if (!is_signed) {
        add_within(result, part, 0, number);
    } else if (number >= sign) {
        add_within(result, part, sign, number);
    } else {
        add_within(result, part, sign, mask);
        add_within(result, part, 0, number);
    }
}

static void add_greater(struct value *result, const struct part *part, bool is_signed, unsigned width, uint64_t number,
                        bool or_equal) {
    uint64_t sign = UINT64_C(1) << (width - 1);
    uint64_t mask = bits_mask(width);
    uint64_t last = is_signed ? sign - 1 : mask;
    if (!or_equal) {
        if (number == last) {
            return;
        }
        number = (number + 1) & mask;
    }
    if (!is_signed) {
        add_within(result, part, number, mask);
    } else if (number < sign) {
        add_within(result, part, number, sign - 1);
    } else {
        add_within(result, part, number, mask);
        add_within(result, part, 0, sign - 1);
    }
}

static void add_compared(struct value *result, const struct part *part, enum predicate predicate, unsigned width,
                         uint64_t number) {
    switch (predicate) {
    case PREDICATE_EQ:
        add_within(result, part, number, number);
        return;
    case PREDICATE_NE:
        if (number > 0) {
            add_within(result, part, 0, number - 1);
        }
        if (number < UINT64_MAX) {
            add_within(result, part, number + 1, UINT64_MAX);
        }
        return;
    case PREDICATE_ULT:
    case PREDICATE_ULE:
    case PREDICATE_SLT:
    case PREDICATE_SLE:
        add_less(result, part, predicate == PREDICATE_SLT || predicate == PREDICATE_SLE, width, number,
                 predicate == PREDICATE_ULE || predicate == PREDICATE_SLE);
        return;
    default:
        add_greater(result, part, predicate == PREDICATE_SGT || predicate == PREDICATE_SGE, width, number,
                    predicate == PREDICATE_UGE || predicate == PREDICATE_SGE);
        return;
    }
}

struct value value_compared(const struct value *value, enum predicate predicate, unsigned width, uint64_t number) {
    struct value result = value_none();
    if (value->any) {
        return predicate == PREDICATE_EQ && width == 64 ? value_number(number) : *value;
    }
    for (unsigned i = 0; i < value->count; i++) {
        const struct part *part = &value->parts[i];
        if (part->object != NUMBERS || part->high > bits_mask(width)) {
            value_add_part(&result, *part);
        } else {
            add_compared(&result, part, predicate, width, number);
        }
    }
    return result;
}

int value_compare(enum predicate predicate, unsigned width, const struct value *a, const struct value *b) {
    uint64_t number;
    if (!fits(a, width) || !fits(b, width)) {
        return -1;
    }
    if (!value_is_number(b, &number)) {
        if (!value_is_number(a, &number)) {
            return -1;
        }
        return value_compare(predicate_swapped(predicate), width, b, a);
    }
    struct value yes = value_compared(a, predicate, width, number);
    struct value no = value_compared(a, predicate_negated(predicate), width, number);
    return value_is_none(&no) ? 1 : value_is_none(&yes) ? 0 : -1;
}
