/* Sets of values: interning, joining, and what operations make of them. */
#include "seq/set.h"

#include <stdlib.h>

#include "machine/arithmetic.h"
#include "util/memory.h"

#define MOST_PAIRS 4096

void sets_init(struct sets *sets) {
    *sets = (struct sets){.table_size = 1 << 10};
    vector_init(&sets->data, sizeof(struct set_data));
    vector_init(&sets->values, sizeof(uint64_t));
    sets->table = memory_allocate(sets->table_size * sizeof *sets->table);
    vector_grow(&sets->data, 1);
}

void sets_delete(struct sets *sets) {
    vector_delete(&sets->data);
    vector_delete(&sets->values);
    free(sets->table);
}

const struct set_data *set_data(const struct sets *sets, set_id of) {
    return vector_at(&sets->data, of);
}

const uint64_t *set_values(const struct sets *sets, set_id of, size_t *count) {
    const struct set_data *data = set_data(sets, of);
    *count = data->count;
    return data->count ? (const uint64_t *)vector_at(&sets->values, data->first) : NULL;
}

bool set_is_range(const struct sets *sets, set_id of) {
    return set_data(sets, of)->count == 0;
}

/* --- Interning ---------------------------------------------------------------------------------------------------- */

static uint64_t hash_of(const struct set_data *data, const uint64_t *values) {
    uint64_t hash = data->low * 0x9e3779b97f4a7c15u ^ data->steps * 0xbf58476d1ce4e5b9u ^ data->stride;
    for (uint32_t i = 0; i < data->count; i++) {
        hash = (hash ^ values[i]) * 0x94d049bb133111ebu;
        hash ^= hash >> 31;
    }
    return hash ^ hash >> 32;
}

static const uint64_t *values_of(const struct sets *sets, const struct set_data *data) {
    return data->count ? (const uint64_t *)vector_at(&sets->values, data->first) : NULL;
}

static bool same(const struct sets *sets, const struct set_data *one, const struct set_data *other,
                 const uint64_t *values) {
    if (one->count != other->count || one->low != other->low || one->steps != other->steps ||
        one->stride != other->stride) {
        return false;
    }
    return one->count == 0 || memcmp(values_of(sets, one), values, one->count * sizeof *values) == 0;
}

static void grow_table(struct sets *sets) {
    free(sets->table);
    sets->table_size *= 2;
    sets->table = memory_allocate(sets->table_size * sizeof *sets->table);
    for (size_t i = 1; i < sets->data.count; i++) {
        const struct set_data *data = vector_at(&sets->data, i);
        size_t at = hash_of(data, values_of(sets, data)) & (sets->table_size - 1);
        while (sets->table[at]) {
            at = (at + 1) & (sets->table_size - 1);
        }
        sets->table[at] = (uint32_t)i;
    }
}

static set_id intern(struct sets *sets, struct set_data data, const uint64_t *values) {
    if (sets->data.count * 2 > sets->table_size) {
        grow_table(sets);
    }
    size_t at = hash_of(&data, values) & (sets->table_size - 1);
    for (; sets->table[at]; at = (at + 1) & (sets->table_size - 1)) {
        if (same(sets, vector_at(&sets->data, sets->table[at]), &data, values)) {
            return sets->table[at];
        }
    }
    data.first = (uint32_t)sets->values.count;
    for (uint32_t i = 0; i < data.count; i++) {
        vector_push(&sets->values, &values[i]);
    }
    sets->table[at] = (uint32_t)sets->data.count;
    vector_push(&sets->data, &data);
    return (set_id)(sets->data.count - 1);
}

static int compare_values(const void *one, const void *other) {
    uint64_t a = *(const uint64_t *)one;
    uint64_t b = *(const uint64_t *)other;
    return (a > b) - (a < b);
}

static uint64_t greatest_divisor(uint64_t a, uint64_t b) {
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

set_id set_of_values(struct sets *sets, uint64_t *values, size_t count) {
    qsort(values, count, sizeof *values, compare_values);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || values[kept - 1] != values[i]) {
            values[kept++] = values[i];
        }
    }
    if (kept <= SET_MOST) {
        return intern(sets, (struct set_data){.count = (uint32_t)kept}, values);
    }
    uint64_t stride = 0;
    for (size_t i = 1; i < kept; i++) {
        stride = greatest_divisor(values[i] - values[0], stride);
    }
    return set_range(sets, values[0], (values[kept - 1] - values[0]) / stride, stride);
}

set_id set_of(struct sets *sets, uint64_t value) {
    return intern(sets, (struct set_data){.count = 1}, &value);
}

set_id set_range(struct sets *sets, uint64_t low, uint64_t steps, uint64_t stride) {
    if (steps < SET_MOST) {
        uint64_t values[SET_MOST];
        for (uint64_t i = 0; i <= steps; i++) {
            values[i] = low + i * stride;
        }
        return set_of_values(sets, values, steps + 1);
    }
    if (stride != 0 && steps > UINT64_MAX / stride) { /* it goes round: every value that fits the power of two in it */
        uint64_t power = stride & (~stride + 1);
        return intern(sets, (struct set_data){.low = low % power, .steps = UINT64_MAX / power, .stride = power}, NULL);
    }
    return intern(sets, (struct set_data){.low = low, .steps = steps, .stride = stride}, NULL);
}

set_id set_of_width(struct sets *sets, unsigned width) {
    return set_range(sets, 0, truncated(UINT64_MAX, width), 1);
}

void set_bounds(const struct sets *sets, set_id of, uint64_t *low, uint64_t *high) {
    const struct set_data *data = set_data(sets, of);
    if (data->count) {
        const uint64_t *values = values_of(sets, data);
        *low = values[0];
        *high = values[data->count - 1];
        return;
    }
    *low = data->low;
    *high = data->low + data->steps * data->stride;
    if (*high < *low) {
        *low = 0;
        *high = UINT64_MAX;
    }
}

bool set_has(const struct sets *sets, set_id of, uint64_t value) {
    const struct set_data *data = set_data(sets, of);
    const uint64_t *values = values_of(sets, data);
    for (uint32_t i = 0; i < data->count; i++) {
        if (values[i] == value) {
            return true;
        }
    }
    return data->count == 0 && (value - data->low) % data->stride == 0 &&
           (value - data->low) / data->stride <= data->steps;
}

/* A named set as a range, for joining. */
static struct set_data as_range(const struct sets *sets, set_id of) {
    struct set_data data = *set_data(sets, of);
    if (data.count == 0) {
        return data;
    }
    const uint64_t *values = values_of(sets, &data);
    uint64_t stride = 0;
    for (uint32_t i = 1; i < data.count; i++) {
        stride = greatest_divisor(values[i] - values[0], stride);
    }
    return (struct set_data){
        .low = values[0], .steps = stride ? (values[data.count - 1] - values[0]) / stride : 0, .stride = stride};
}

set_id set_join(struct sets *sets, set_id one, set_id other) {
    if (one == other || one == 0 || other == 0) {
        return one ? one : other;
    }
    size_t a;
    size_t b;
    const uint64_t *values = set_values(sets, one, &a);
    const uint64_t *others = set_values(sets, other, &b);
    if (values && others) {
        uint64_t joined[2 * SET_MOST];
        memcpy(joined, values, a * sizeof *values);
        memcpy(joined + a, others, b * sizeof *others);
        return set_of_values(sets, joined, a + b);
    }
    struct set_data x = as_range(sets, one);
    struct set_data y = as_range(sets, other);
    uint64_t high_x = x.low + x.steps * x.stride;
    uint64_t high_y = y.low + y.steps * y.stride;
    uint64_t low = x.low < y.low ? x.low : y.low;
    uint64_t high = high_x > high_y ? high_x : high_y;
    if (high_x < x.low || high_y < y.low) { /* one wraps: stay at it if it has all of the other */
        const struct set_data *wide = high_x < x.low ? &x : &y;
        const struct set_data *narrow = wide == &x ? &y : &x;
        uint64_t from = narrow->low - wide->low;
        if (wide->stride == 1 && from <= wide->steps && narrow->steps * narrow->stride <= wide->steps - from) {
            return wide == &x ? one : other;
        }
        return set_of_width(sets, 64);
    }
    uint64_t stride =
        greatest_divisor(greatest_divisor(x.stride, y.stride), x.low < y.low ? y.low - x.low : x.low - y.low);
    return set_range(sets, low, stride ? (high - low) / stride : 0, stride ? stride : 1);
}

set_id set_within(struct sets *sets, set_id of, uint64_t low, uint64_t high) {
    size_t count;
    const uint64_t *values = set_values(sets, of, &count);
    if (low > high) {
        return of;
    }
    if (values) {
        uint64_t kept[SET_MOST];
        size_t n = 0;
        for (size_t i = 0; i < count; i++) {
            if (values[i] >= low && values[i] <= high) {
                kept[n++] = values[i];
            }
        }
        return n ? set_of_values(sets, kept, n) : of;
    }
    struct set_data data = *set_data(sets, of);
    uint64_t last = data.low + data.steps * data.stride;
    if (last < data.low) {
        return data.stride == 1 ? set_range(sets, low, high - low, 1) : of;
    }
    uint64_t from =
        low > data.low ? data.low + (low - data.low + data.stride - 1) / data.stride * data.stride : data.low;
    uint64_t to = high < last ? high : last;
    return from <= to ? set_range(sets, from, (to - from) / data.stride, data.stride) : of;
}

set_id set_without(struct sets *sets, set_id of, uint64_t value) {
    size_t count;
    const uint64_t *values = set_values(sets, of, &count);
    uint64_t kept[SET_MOST];
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        if (values[i] != value) {
            kept[n++] = values[i];
        }
    }
    return n > 0 ? set_of_values(sets, kept, n) : of;
}

/* --- Operations --------------------------------------------------------------------------------------------------- */

/* An operation on known operands; false if it fails. */
static bool computed(const struct instruction *instruction, uint64_t a, uint64_t b, uint64_t c, uint64_t *result) {
    uint64_t out[3] = {0};
    unsigned width = instruction->width;
    switch (instruction->op) {
    case OP_MOV:
        *result = a;
        return true;
    case OP_ADD:
        *result = truncated(a + b, width);
        return true;
    case OP_SUB:
        *result = truncated(a - b, width);
        return true;
    case OP_MUL:
        *result = truncated(a * b, width);
        return true;
    case OP_AND:
        *result = a & b;
        return true;
    case OP_OR:
        *result = a | b;
        return true;
    case OP_XOR:
        *result = truncated(a ^ b, width);
        return true;
    case OP_SHL:
        *result = truncated(a << shift_count(b, width), width);
        return true;
    case OP_LSHR:
        *result = truncated(a >> shift_count(b, width), width);
        return true;
    case OP_ASHR:
        *result = truncated((uint64_t)(sign_extended(a, width) >> shift_count(b, width)), width);
        return true;
    case OP_ICMP:
        *result = compare(instruction->sub, a, b, width);
        return true;
    case OP_SEXT:
        *result = truncated((uint64_t)sign_extended(a, width), instruction->sub);
        return true;
    case OP_TRUNC:
        *result = truncated(a, width);
        return true;
    case OP_SELECT:
        *result = a ? b : c;
        return true;
    case OP_UDIV:
    case OP_UREM:
    case OP_SDIV:
    case OP_SREM: {
        int64_t sa = sign_extended(a, width);
        int64_t sb = sign_extended(b, width);
        bool is_signed = instruction->op == OP_SDIV || instruction->op == OP_SREM;
        if (b == 0 || (is_signed && sb == -1 && a == UINT64_C(1) << (width - 1))) {
            return false;
        }
        *result = truncated(instruction->op == OP_UDIV   ? a / b
                            : instruction->op == OP_UREM ? a % b
                            : instruction->op == OP_SDIV ? (uint64_t)(sa / sb)
                                                         : (uint64_t)(sa % sb),
                            width);
        return true;
    }
    default:
        if (!arithmetic_run(instruction, (uint64_t[2]){a}, (uint64_t[2]){b}, (uint64_t[2]){c}, out)) {
            return false;
        }
        *result = out[0];
        return true;
    }
}

/* The range of sums, if it does not go round in `width` bits; a set that is closed under addition otherwise. */
static set_id sum(struct sets *sets, struct set_data a, struct set_data b, unsigned width) {
    uint64_t stride = greatest_divisor(a.stride, b.stride);
    stride = stride ? stride : 1;
    uint64_t size_a = a.steps * a.stride;
    uint64_t size_b = b.steps * b.stride;
    uint64_t low = a.low + b.low;
    uint64_t steps;
    if (!__builtin_add_overflow(size_a, size_b, &steps) &&
        (width == 64 || (low <= truncated(UINT64_MAX, width) && steps <= truncated(UINT64_MAX, width) - low))) {
        return set_range(sets, low, steps / stride, stride);
    }
    uint64_t power = stride & (~stride + 1);
    return set_range(sets, low % power, truncated(UINT64_MAX, width) / power, power);
}

static set_id product(struct sets *sets, struct set_data a, uint64_t factor, unsigned width) {
    uint64_t stride;
    uint64_t size;
    if (factor == 0) {
        return set_of(sets, 0);
    }
    if (!__builtin_mul_overflow(a.stride, factor, &stride) && !__builtin_mul_overflow(stride, a.steps, &size)) {
        uint64_t low = a.low * factor;
        uint64_t limit = truncated(UINT64_MAX, width);
        if (width == 64 || (a.low <= limit / factor && size <= limit - low)) {
            return set_range(sets, low, a.steps, stride);
        }
    }
    uint64_t power = factor & (~factor + 1);
    return set_range(sets, 0, truncated(UINT64_MAX, width) / power, power);
}

static bool is_single(const struct sets *sets, set_id of, uint64_t *value) {
    size_t count;
    const uint64_t *values = set_values(sets, of, &count);
    if (count != 1) {
        return false;
    }
    *value = values[0];
    return true;
}

static set_id apply_to_ranges(struct sets *sets, const struct instruction *instruction, set_id a, set_id b, set_id c) {
    unsigned width = instruction->width;
    struct set_data x = as_range(sets, a);
    struct set_data y = b ? as_range(sets, b) : (struct set_data){0};
    uint64_t low;
    uint64_t high;
    uint64_t low_b = 0;
    uint64_t high_b = UINT64_MAX;
    uint64_t known;
    set_bounds(sets, a, &low, &high);
    if (b) {
        set_bounds(sets, b, &low_b, &high_b);
    }
    switch (instruction->op) {
    case OP_MOV:
        return a;
    case OP_ADD:
        return sum(sets, x, y, width);
    case OP_SUB:
        if (width == 64 || low >= high_b) {
            return sum(sets, x,
                       (struct set_data){.low = 0 - (y.low + y.steps * y.stride), .steps = y.steps, .stride = y.stride},
                       64);
        }
        if (is_single(sets, b, &known) && width < 64) {
            return sum(sets, x, (struct set_data){.low = truncated(0 - known, width)}, width);
        }
        return set_of_width(sets, width);
    case OP_MUL:
        if (is_single(sets, b, &known)) {
            return product(sets, x, known, width);
        }
        return is_single(sets, a, &known) ? product(sets, y, known, width) : set_of_width(sets, width);
    case OP_SHL:
        return is_single(sets, b, &known) ? product(sets, x, UINT64_C(1) << shift_count(known, width), width)
                                          : set_of_width(sets, width);
    case OP_LSHR:
        if (is_single(sets, b, &known)) {
            unsigned shift = shift_count(known, width);
            return set_range(sets, low >> shift, (high >> shift) - (low >> shift), 1);
        }
        return set_range(sets, 0, high, 1);
    case OP_AND: {
        uint64_t most = high < high_b ? high : high_b;
        return set_range(sets, 0, most, 1);
    }
    case OP_OR:
    case OP_XOR: {
        uint64_t most = high | high_b;
        unsigned bits = most ? 64 - (unsigned)__builtin_clzll(most) : 1;
        return set_of_width(sets, bits);
    }
    case OP_UDIV:
        return low_b > 0 ? set_range(sets, low / high_b, high / low_b - low / high_b, 1) : set_range(sets, 0, high, 1);
    case OP_UREM:
        return high_b > 0 ? set_range(sets, 0, high < high_b - 1 ? high : high_b - 1, 1) : set_of_width(sets, width);
    case OP_SEXT:
        if (high < UINT64_C(1) << (width - 1)) {
            return a;
        }
        if (instruction->sub == 64 && high <= truncated(UINT64_MAX, width)) {
            return set_range(sets, (uint64_t)sign_extended(UINT64_C(1) << (width - 1), width),
                             truncated(UINT64_MAX, width), 1);
        }
        return set_of_width(sets, instruction->sub);
    case OP_TRUNC:
        if (high <= truncated(UINT64_MAX, width)) {
            return a;
        }
        {
            uint64_t power = x.stride & (~x.stride + 1);
            power = power && power <= truncated(UINT64_MAX, width) ? power : 1;
            return set_range(sets, x.low % power, truncated(UINT64_MAX, width) / power, power);
        }
    case OP_ICMP:
    case OP_FCMP:
        return set_range(sets, 0, 1, 1);
    case OP_SELECT:
        return set_join(sets, b, c);
    default:
        return set_of_width(sets, width < 64 && instruction->op < OP_SEXT ? width : 64);
    }
}

set_id set_apply(struct sets *sets, const struct instruction *instruction, set_id a, set_id b, set_id c) {
    size_t n[3] = {0};
    const uint64_t *values[3] = {NULL};
    const set_id operands[3] = {a, b, c};
    size_t pairs = 1;
    if (instruction->op == OP_SELECT) {
        uint64_t known;
        return is_single(sets, a, &known) ? (known ? b : c) : set_join(sets, b, c);
    }
    for (int i = 0; i < 3 && pairs; i++) {
        if (operands[i]) {
            values[i] = set_values(sets, operands[i], &n[i]);
            pairs = values[i] && pairs * n[i] <= MOST_PAIRS ? pairs * n[i] : 0;
        }
    }
    if (pairs == 0) {
        return apply_to_ranges(sets, instruction, a, b, c);
    }
    static _Thread_local uint64_t results[MOST_PAIRS];
    size_t count = 0;
    for (size_t i = 0; i < (n[0] ? n[0] : 1); i++) {
        for (size_t k = 0; k < (n[1] ? n[1] : 1); k++) {
            for (size_t m = 0; m < (n[2] ? n[2] : 1); m++) {
                count += computed(instruction, values[0] ? values[0][i] : 0, values[1] ? values[1][k] : 0,
                                  values[2] ? values[2][m] : 0, &results[count]);
            }
        }
    }
    return count ? set_of_values(sets, results, count) : set_of(sets, 0);
}
