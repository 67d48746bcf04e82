/* Sets of values: whatever is made of sets has all values that it must have, however they are represented. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "machine/arithmetic.h"
#include "seq/set.h"

#define ROUNDS 20000
#define MOST_MEMBERS 200

static uint64_t seed = 1;

static uint64_t draw(void) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed * 0x2545f4914f6cdd1du;
}

static uint64_t draw_below(uint64_t limit) {
    return (draw() >> 11) % limit;
}

/* A set, and some values that it must have. */
struct sample {
    set_id set;
    size_t count;
    uint64_t members[MOST_MEMBERS];
};

static uint64_t draw_base(void) {
    switch (draw_below(4)) {
    case 0:
        return draw_below(100);
    case 1:
        return 0 - draw_below(100);
    case 2:
        return UINT64_C(0x280000000) * draw_below(4) + 4096 * draw_below(6);
    default:
        return draw();
    }
}

/* Values by name, values in a few clusters, or a range, which may wrap. */
static void draw_sample(struct sets *sets, struct sample *sample) {
    uint64_t values[MOST_MEMBERS];
    if (draw_below(3) == 0) {
        static const uint64_t strides[] = {1, 2, 3, 4, 8, 4096, UINT64_C(1) << 40};
        uint64_t low = draw_base();
        uint64_t stride = strides[draw_below(7)];
        uint64_t steps = draw_below(2) ? draw_below(300) : draw();
        sample->set = set_range(sets, low, steps, stride);
        sample->count = 40;
        for (size_t i = 0; i < sample->count; i++) {
            uint64_t at = i == 0 ? 0 : i == 1 ? steps : steps == UINT64_MAX ? draw() : draw() % (steps + 1);
            sample->members[i] = low + at * stride;
        }
        return;
    }
    uint64_t bases[4] = {draw_base(), draw_base(), draw_base(), draw_base()};
    sample->count = 1 + draw_below(draw_below(2) ? 8 : MOST_MEMBERS);
    for (size_t i = 0; i < sample->count; i++) {
        values[i] = sample->members[i] = bases[draw_below(4)] + 4 * draw_below(60);
    }
    sample->set = set_of_values(sets, values, sample->count);
}

static void check_members(const struct sets *sets, const struct sample *sample) {
    uint64_t low;
    uint64_t high;
    set_bounds(sets, sample->set, &low, &high);
    for (size_t i = 0; i < sample->count; i++) {
        uint64_t member = sample->members[i];
        uint64_t next;
        assert_true(set_has(sets, sample->set, member));
        assert_true(low <= member && member <= high);
        assert_true(set_next(sets, sample->set, member, &next));
        assert_true(next == member);
    }
}

/* The next value from a place on is a member, and no member is between. */
static void check_next(const struct sets *sets, const struct sample *sample) {
    uint64_t least = draw_below(2) ? draw_base() : sample->members[draw_below(sample->count)] + draw_below(9);
    uint64_t next = 0;
    bool found = set_next(sets, sample->set, least, &next);
    assert_true(!found || (next >= least && set_has(sets, sample->set, next)));
    for (size_t i = 0; i < sample->count; i++) {
        uint64_t member = sample->members[i];
        assert_true(member < least || (found && next <= member));
    }
}

static void check_join(struct sets *sets, const struct sample *one, const struct sample *other) {
    struct sample joined = *one;
    joined.set = set_join(sets, one->set, other->set);
    check_members(sets, &joined);
    joined = *other;
    joined.set = set_join(sets, one->set, other->set);
    check_members(sets, &joined);
    assert_int_equal(set_join(sets, joined.set, other->set), joined.set);
    assert_int_equal(set_join(sets, one->set, one->set), one->set);
}

static void check_within(struct sets *sets, const struct sample *sample) {
    uint64_t low = draw_base();
    uint64_t high = low + (draw_below(2) ? draw_below(1000) : draw());
    if (high < low) {
        return;
    }
    set_id within = set_within(sets, sample->set, low, high);
    set_id without = set_without(sets, sample->set, low);
    for (size_t i = 0; i < sample->count; i++) {
        uint64_t member = sample->members[i];
        assert_true(member < low || member > high || set_has(sets, within, member));
        assert_true(member == low || set_has(sets, without, member));
    }
}

/* tests/seq/test_circuit.c has all operations; here those that make addresses, on sets of every kind. */
static void check_operation(struct sets *sets, const struct sample *one, const struct sample *other) {
    static const uint8_t widths[] = {64, 64, 32};
    static const uint8_t operations[] = {OP_ADD, OP_SUB, OP_MUL, OP_AND};
    struct instruction operation = {.op = operations[draw_below(4)], .width = widths[draw_below(3)]};
    const struct instruction cut = {.op = OP_TRUNC, .width = operation.width};
    set_id a = set_apply(sets, &cut, one->set, 0, 0);
    set_id b = set_apply(sets, &cut, other->set, 0, 0);
    set_id result = set_apply(sets, &operation, a, b, 0);
    for (size_t i = 0; i < 20; i++) {
        uint64_t x = one->members[draw_below(one->count)];
        uint64_t y = other->members[draw_below(other->count)];
        uint64_t out = operation.op == OP_ADD   ? x + y
                       : operation.op == OP_SUB ? x - y
                       : operation.op == OP_MUL ? x * y
                                                : x & y;
        assert_true(set_has(sets, result, truncated(out, operation.width)));
    }
}

static void check_part(struct sets *sets, const struct sample *sample) {
    unsigned low = (unsigned)draw_below(8);
    unsigned count = 1 + (unsigned)draw_below(8 - low);
    set_id part = set_part(sets, sample->set, low, count);
    for (size_t i = 0; i < sample->count; i++) {
        assert_true(set_has(sets, part, truncated(sample->members[i] >> 8 * low, 8 * count)));
    }
}

static void test_sets(void **unused) {
    struct sets sets;
    (void)unused;
    sets_init(&sets);
    for (unsigned i = 0; i < ROUNDS; i++) {
        struct sample one;
        struct sample other;
        draw_sample(&sets, &one);
        draw_sample(&sets, &other);
        check_members(&sets, &one);
        check_next(&sets, &one);
        check_join(&sets, &one, &other);
        check_within(&sets, &one);
        check_operation(&sets, &one, &other);
        check_part(&sets, &one);
    }
    sets_delete(&sets);
}

/* Addresses in two objects, at many offsets, do not become all that is between. */
static void test_several_objects(void **unused) {
    struct sets sets;
    (void)unused;
    sets_init(&sets);
    uint64_t bases[] = {0x280001000, 0x500001000};
    set_id objects = set_of_values(&sets, bases, 2);
    const struct instruction add = {.op = OP_ADD, .width = 64};
    set_id inside = set_apply(&sets, &add, objects, set_range(&sets, 0, 300, 4), 0);
    assert_true(set_has(&sets, inside, 0x280001000 + 1200));
    assert_true(set_has(&sets, inside, 0x500001000));
    assert_false(set_has(&sets, inside, 0x280001000 + 1204));
    assert_false(set_has(&sets, inside, 0x280001002));
    assert_false(set_has(&sets, inside, 0x300000000));
    sets_delete(&sets);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sets),
        cmocka_unit_test(test_several_objects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
