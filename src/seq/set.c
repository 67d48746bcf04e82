/* Sets of values: interning, joining, and what operations make of them. */
#include "seq/set.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "ir/program.h"
#include "machine/arithmetic.h"
#include "util/memory.h"

#define MOST_PAIRS 4096

void sets_init(struct sets *sets) {
    *sets = (struct sets){.table_size = 1 << 10};
    vector_init(&sets->data, sizeof(struct set_data));
    vector_init(&sets->bases, sizeof(uint64_t));
    sets->table = memory_allocate(sets->table_size * sizeof *sets->table);
    vector_grow(&sets->data, 1);
}

void sets_delete(struct sets *sets) {
    vector_delete(&sets->data);
    vector_delete(&sets->bases);
    free(sets->table);
}

const struct set_data *set_data(const struct sets *sets, set_id of) {
    return vector_at(&sets->data, of);
}

static const uint64_t *bases_of(const struct sets *sets, const struct set_data *data) {
    return data->count ? (const uint64_t *)vector_at(&sets->bases, data->first) : NULL;
}

const uint64_t *set_bases(const struct sets *sets, set_id of, size_t *count) {
    const struct set_data *data = set_data(sets, of);
    *count = data->count;
    return bases_of(sets, data);
}

const uint64_t *set_values(const struct sets *sets, set_id of, size_t *count) {
    const uint64_t *bases = set_bases(sets, of, count);
    if (set_data(sets, of)->extent == 0) {
        return bases;
    }
    *count = 0;
    return NULL;
}

/* --- Interning ---------------------------------------------------------------------------------------------------- */

static uint64_t hash_of(const struct set_data *data, const uint64_t *bases) {
    uint64_t hash = data->extent * 0xbf58476d1ce4e5b9u ^ data->stride;
    for (uint32_t i = 0; i < data->count; i++) {
        hash = (hash ^ bases[i]) * 0x94d049bb133111ebu;
        hash ^= hash >> 31;
    }
    return hash ^ hash >> 32;
}

static bool same(const struct sets *sets, const struct set_data *one, const struct set_data *other,
                 const uint64_t *bases) {
    return one->count == other->count && one->extent == other->extent && one->stride == other->stride &&
           memcmp(bases_of(sets, one), bases, one->count * sizeof *bases) == 0;
}

static void grow_table(struct sets *sets) {
    free(sets->table);
    sets->table_size *= 2;
    sets->table = memory_allocate(sets->table_size * sizeof *sets->table);
    for (size_t i = 1; i < sets->data.count; i++) {
        const struct set_data *data = vector_at(&sets->data, i);
        size_t at = hash_of(data, bases_of(sets, data)) & (sets->table_size - 1);
        while (sets->table[at]) {
            at = (at + 1) & (sets->table_size - 1);
        }
        sets->table[at] = (uint32_t)i;
    }
}

static set_id intern(struct sets *sets, struct set_data data, const uint64_t *bases) {
    assert(data.count > 0 && data.count <= SET_MOST && (data.extent == 0) == (data.stride == 0) && "V2");
    for (uint32_t i = 1; i < data.count; i++) {
        assert(bases[i - 1] < bases[i] && "V1");
        assert(bases[i] - bases[i - 1] > data.extent && bases[i] + data.extent >= bases[i] && "V3");
    }
    if (sets->data.count * 2 > sets->table_size) {
        grow_table(sets);
    }
    size_t at = hash_of(&data, bases) & (sets->table_size - 1);
    for (; sets->table[at]; at = (at + 1) & (sets->table_size - 1)) {
        if (same(sets, vector_at(&sets->data, sets->table[at]), &data, bases)) {
            return sets->table[at];
        }
    }
    data.first = (uint32_t)sets->bases.count;
    for (uint32_t i = 0; i < data.count; i++) {
        vector_push(&sets->bases, &bases[i]);
    }
    sets->table[at] = (uint32_t)sets->data.count;
    vector_push(&sets->data, &data);
    return (set_id)(sets->data.count - 1);
}

/* --- Making sets -------------------------------------------------------------------------------------------------- */

/* Some values first, first + stride, ..., last, whose stride is known elsewhere. */
struct stretch {
    uint64_t first;
    uint64_t last;
};

static int compare_stretches(const void *one, const void *other) {
    const struct stretch *a = one;
    const struct stretch *b = other;
    return (a->first > b->first) - (a->first < b->first);
}

static uint64_t greatest_divisor(uint64_t a, uint64_t b) {
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* One stretch, which may wrap. */
static set_id one_stretch(struct sets *sets, uint64_t low, uint64_t extent, uint64_t stride) {
    return intern(sets, (struct set_data){.count = 1, .extent = extent, .stride = extent ? stride : 0}, &low);
}

set_id set_of(struct sets *sets, uint64_t value) {
    return one_stretch(sets, value, 0, 0);
}

/* Makes stretches one whose distance is less than this, with a stride that fits both.  Returns how many are left, and
 * the extent of the longest. */
static size_t merge_near(struct stretch *all, size_t count, uint64_t distance, uint64_t *stride, uint64_t *extent) {
    size_t kept = 0;
    *extent = all[0].last - all[0].first;
    for (size_t i = 1; i < count; i++) {
        if (all[i].first <= all[kept].last || all[i].first - all[kept].last < distance) {
            *stride = greatest_divisor(all[i].first - all[kept].first, *stride);
            all[kept].last = all[i].last > all[kept].last ? all[i].last : all[kept].last;
        } else {
            all[++kept] = all[i];
        }
        uint64_t length = all[kept].last - all[kept].first;
        *extent = length > *extent ? length : *extent;
    }
    return kept + 1;
}

/* Gives all stretches the same extent, and merges those that are then in the same object, or all if they are too many.
 * Returns the number left. */
static size_t make_equal(struct stretch *all, size_t count, uint64_t *stride, uint64_t *extent) {
    for (size_t before = 0; count > 1 && before != count;) {
        before = count;
        bool ends = all[count - 1].first + *extent < all[count - 1].first;
        for (size_t i = 0; i < count && !ends; i++) {
            all[i].last = all[i].first + *extent;
        }
        count = merge_near(all, count, ends ? UINT64_MAX : PAGE_SIZE, stride, extent);
        if (count == before && count > SET_MOST) {
            count = merge_near(all, count, UINT64_MAX, stride, extent);
        }
    }
    return count;
}

/* A set of stretches that do not wrap, in any order. */
static set_id of_stretches(struct sets *sets, struct stretch *all, size_t count, uint64_t stride) {
    uint64_t bases[SET_MOST];
    uint64_t extent = 0;
    qsort(all, count, sizeof *all, compare_stretches);
    count = merge_near(all, count, 1, &stride, &extent);
    if (extent > 0 || count > SET_MOST) {
        count = make_equal(all, count, &stride, &extent);
    }
    for (size_t i = 0; i < count; i++) {
        bases[i] = all[i].first;
    }
    return intern(sets, (struct set_data){.count = (uint32_t)count, .extent = extent, .stride = extent ? stride : 0},
                  bases);
}

set_id set_of_values(struct sets *sets, uint64_t *values, size_t count) {
    struct stretch *all = memory_allocate((count + 1) * sizeof *all);
    for (size_t i = 0; i < count; i++) {
        all[i] = (struct stretch){values[i], values[i]};
    }
    set_id made = of_stretches(sets, all, count, 0);
    free(all);
    return made;
}

set_id set_range(struct sets *sets, uint64_t low, uint64_t steps, uint64_t stride) {
    if (steps < SET_MOST) {
        uint64_t values[SET_MOST];
        for (uint64_t i = 0; i <= steps; i++) {
            values[i] = low + i * stride;
        }
        return set_of_values(sets, values, steps + 1);
    }
    if (steps > UINT64_MAX / stride) { /* it wraps: every value that fits the power of two in it */
        uint64_t power = stride & (~stride + 1);
        return one_stretch(sets, low % power, UINT64_MAX / power * power, power);
    }
    return one_stretch(sets, low, steps * stride, stride);
}

set_id set_of_width(struct sets *sets, unsigned width) {
    return set_range(sets, 0, truncated(UINT64_MAX, width), 1);
}

/* --- Asking ------------------------------------------------------------------------------------------------------- */

/* Does its only stretch wrap? */
static bool wraps(const struct sets *sets, set_id of) {
    const struct set_data *data = set_data(sets, of);
    uint64_t base = bases_of(sets, data)[0];
    return data->count == 1 && base + data->extent < base;
}

void set_bounds(const struct sets *sets, set_id of, uint64_t *low, uint64_t *high) {
    const struct set_data *data = set_data(sets, of);
    const uint64_t *bases = bases_of(sets, data);
    bool round = wraps(sets, of);
    *low = round ? 0 : bases[0];
    *high = round ? UINT64_MAX : bases[data->count - 1] + data->extent;
}

bool set_is_numbers(const struct sets *sets, set_id of) {
    const struct set_data *data = set_data(sets, of);
    uint64_t low;
    uint64_t high;
    set_bounds(sets, of, &low, &high);
    return (data->count == 1 && data->extent > 0) || high < FUNCTION_BASE;
}

bool set_has(const struct sets *sets, set_id of, uint64_t value) {
    const struct set_data *data = set_data(sets, of);
    const uint64_t *bases = bases_of(sets, data);
    for (uint32_t i = 0; i < data->count; i++) {
        uint64_t offset = value - bases[i];
        if (offset <= data->extent && (data->stride == 0 || offset % data->stride == 0)) {
            return true;
        }
    }
    return false;
}

/* The smallest value from `least` on in a stretch that does not wrap. */
static bool next_in(struct stretch stretch, uint64_t stride, uint64_t least, uint64_t *value) {
    uint64_t beyond = least > stretch.first ? least - stretch.first : 0;
    uint64_t more = stride ? (stride - beyond % stride) % stride : 0;
    if (beyond > stretch.last - stretch.first || more > stretch.last - stretch.first - beyond) {
        return false;
    }
    *value = stretch.first + beyond + more;
    return true;
}

bool set_next(const struct sets *sets, set_id of, uint64_t least, uint64_t *value) {
    const struct set_data *data = set_data(sets, of);
    const uint64_t *bases = bases_of(sets, data);
    if (wraps(sets, of)) {
        uint64_t rest = UINT64_MAX - bases[0]; /* from the base to the end of the numbers */
        uint64_t before = rest - rest % data->stride;
        struct stretch low = {bases[0] + before + data->stride, bases[0] + data->extent};
        struct stretch high = {bases[0], bases[0] + before};
        return next_in(low, data->stride, least, value) || next_in(high, data->stride, least, value);
    }
    for (uint32_t i = 0; i < data->count; i++) {
        if (next_in((struct stretch){bases[i], bases[i] + data->extent}, data->stride, least, value)) {
            return true;
        }
    }
    return false;
}

/* --- Joining and narrowing ---------------------------------------------------------------------------------------- */

/* Appends the stretches of a set that does not wrap. */
static size_t list_stretches(const struct sets *sets, set_id of, struct stretch *all, size_t count) {
    const struct set_data *data = set_data(sets, of);
    const uint64_t *bases = bases_of(sets, data);
    for (uint32_t i = 0; i < data->count; i++) {
        all[count++] = (struct stretch){bases[i], bases[i] + data->extent};
    }
    return count;
}

set_id set_join(struct sets *sets, set_id one, set_id other) {
    if (one == other || one == 0 || other == 0) {
        return one ? one : other;
    }
    struct set_data a = *set_data(sets, one);
    struct set_data b = *set_data(sets, other);
    bool round = wraps(sets, one);
    if (round || wraps(sets, other)) { /* stay at it if it has all of the other */
        const struct set_data *wide = round ? &a : &b;
        const struct set_data *narrow = round ? &b : &a;
        uint64_t from = bases_of(sets, narrow)[0] - bases_of(sets, wide)[0];
        if (narrow->count == 1 && wide->stride == 1 && from <= wide->extent && narrow->extent <= wide->extent - from) {
            return round ? one : other;
        }
        return set_of_width(sets, 64);
    }
    struct stretch all[2 * SET_MOST];
    size_t count = list_stretches(sets, one, all, 0);
    count = list_stretches(sets, other, all, count);
    return of_stretches(sets, all, count, greatest_divisor(a.stride, b.stride));
}

/* The values of one stretch between low and high; false if there is none. */
static bool cut_stretch(struct stretch *stretch, uint64_t stride, uint64_t low, uint64_t high) {
    uint64_t first;
    if (!next_in(*stretch, stride, low, &first) || first > high) {
        return false;
    }
    stretch->first = first;
    if (stretch->last > high) {
        stretch->last = high - (stride ? (high - first) % stride : 0);
    }
    return true;
}

set_id set_within(struct sets *sets, set_id of, uint64_t low, uint64_t high) {
    struct set_data data = *set_data(sets, of);
    if (low > high) {
        return of;
    }
    if (wraps(sets, of)) {
        return data.stride == 1 ? set_range(sets, low, high - low, 1) : of;
    }
    struct stretch all[SET_MOST];
    size_t count = list_stretches(sets, of, all, 0);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        all[kept] = all[i];
        kept += cut_stretch(&all[kept], data.stride, low, high);
    }
    if (kept == 1 && data.stride) {
        return set_range(sets, all[0].first, (all[0].last - all[0].first) / data.stride, data.stride);
    }
    return kept ? of_stretches(sets, all, kept, data.stride) : of;
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

/* A set as one stretch. */
struct range {
    uint64_t low;
    uint64_t extent;
    uint64_t stride;
};

static struct range as_range(const struct sets *sets, set_id of) {
    const struct set_data *data = set_data(sets, of);
    const uint64_t *bases = bases_of(sets, data);
    uint64_t stride = data->stride;
    for (uint32_t i = 1; i < data->count; i++) {
        stride = greatest_divisor(bases[i] - bases[0], stride);
    }
    return (struct range){bases[0], bases[data->count - 1] - bases[0] + data->extent, stride};
}

/* The range of sums, if it does not wrap in `width` bits; a set that is closed under addition otherwise. */
static set_id sum_of_ranges(struct sets *sets, struct range a, struct range b, unsigned width) {
    uint64_t stride = greatest_divisor(a.stride, b.stride);
    stride = stride ? stride : 1;
    uint64_t low = a.low + b.low;
    uint64_t extent;
    uint64_t most = truncated(UINT64_MAX, width);
    if (!__builtin_add_overflow(a.extent, b.extent, &extent) &&
        (width == 64 || (low <= most && extent <= most - low))) {
        return set_range(sets, low, extent / stride, stride);
    }
    uint64_t power = stride & (~stride + 1);
    return set_range(sets, low % power, most / power, power);
}

/* Sums of addresses and offsets: each base of one plus each base of the other. */
static set_id sum(struct sets *sets, set_id a, set_id b) {
    struct set_data x = *set_data(sets, a);
    struct set_data y = *set_data(sets, b);
    uint64_t extent = x.extent + y.extent;
    struct stretch *all = memory_allocate((size_t)x.count * y.count * sizeof *all);
    size_t count = 0;
    bool fits = extent >= x.extent;
    for (uint32_t i = 0; i < x.count && fits; i++) {
        for (uint32_t k = 0; k < y.count && fits; k++) {
            uint64_t first = bases_of(sets, &x)[i] + bases_of(sets, &y)[k];
            fits = first + extent >= first;
            all[count++] = (struct stretch){first, first + extent};
        }
    }
    set_id made = fits ? of_stretches(sets, all, count, greatest_divisor(x.stride, y.stride))
                       : sum_of_ranges(sets, as_range(sets, a), as_range(sets, b), 64);
    free(all);
    return made;
}

/* What is subtracted, negated. */
static set_id negated(struct sets *sets, set_id of) {
    struct set_data data = *set_data(sets, of);
    struct stretch all[SET_MOST];
    bool fits = true;
    for (uint32_t i = 0; i < data.count; i++) {
        uint64_t last = 0 - bases_of(sets, &data)[i];
        all[i] = (struct stretch){last - data.extent, last};
        fits &= last >= data.extent;
    }
    struct range range = as_range(sets, of);
    return fits ? of_stretches(sets, all, data.count, data.stride)
                : set_range(sets, 0 - range.low - range.extent, range.stride ? range.extent / range.stride : 0,
                            range.stride ? range.stride : 1);
}

static set_id product(struct sets *sets, struct range a, uint64_t factor, unsigned width) {
    uint64_t stride;
    uint64_t extent;
    if (factor == 0) {
        return set_of(sets, 0);
    }
    if (!__builtin_mul_overflow(a.stride, factor, &stride) && !__builtin_mul_overflow(a.extent, factor, &extent)) {
        uint64_t low = a.low * factor;
        uint64_t limit = truncated(UINT64_MAX, width);
        if (width == 64 || (a.low <= limit / factor && extent <= limit - low)) {
            return set_range(sets, low, stride ? extent / stride : 0, stride ? stride : 1);
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
    struct range x = as_range(sets, a);
    struct range y = b ? as_range(sets, b) : (struct range){0};
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
        return width == 64 ? sum(sets, a, b) : sum_of_ranges(sets, x, y, width);
    case OP_SUB:
        if (width == 64 || low >= high_b) {
            return sum(sets, a, negated(sets, b));
        }
        if (is_single(sets, b, &known)) {
            return sum_of_ranges(sets, x, (struct range){.low = truncated(0 - known, width)}, width);
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
                count += arithmetic_result(instruction, values[0] ? values[0][i] : 0, values[1] ? values[1][k] : 0,
                                           values[2] ? values[2][m] : 0, &results[count]);
            }
        }
    }
    return count ? set_of_values(sets, results, count) : set_of(sets, 0);
}

set_id set_part(struct sets *sets, set_id of, unsigned low, unsigned count) {
    const struct instruction shift = {.op = OP_LSHR, .width = 64};
    const struct instruction cut = {.op = OP_TRUNC, .width = (uint8_t)(8 * count)};
    return of ? set_apply(sets, &cut, set_apply(sets, &shift, of, set_of(sets, 8 * low), 0), 0, 0) : 0;
}
