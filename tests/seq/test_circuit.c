/* Every operation's circuit against the machine's arithmetic.
 *
 * An operand is a constant or a fresh term over a set of values.  Assumptions fix the bits of a fresh term, so that the
 * solver evaluates the circuit; the result must be the machine's, and a member of the set that is claimed for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ccadical.h>
#include <stdio.h>
#include <stdlib.h>

#include "machine/arithmetic.h"
#include "seq/term.h"

#define SAMPLES 4 /* operands for each circuit */

struct bench {
    struct sets sets;
    struct gates gates;
    struct terms terms;
};

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

/* Often a value at some boundary. */
static uint64_t draw_value(unsigned width) {
    static const uint64_t small[] = {0, 1, 2, 3, 7, 8, 31, 32, 63, 64};
    uint64_t top = UINT64_C(1) << (width - 1);
    switch (draw_below(6)) {
    case 0:
        return truncated(small[draw_below(10)], width);
    case 1:
        return truncated(-small[draw_below(10)], width);
    case 2:
        return truncated(top + draw_below(3) - 1, width);
    case 3:
        return truncated(UINT64_C(1) << draw_below(width), width);
    case 4:
        return truncated(draw() >> draw_below(64), width);
    default:
        return truncated(draw(), width);
    }
}

enum operand_kind { OPERAND_FIXED, OPERAND_FREE, OPERAND_FEW, OPERAND_RANGE, OPERAND_KINDS };

/* One register of an operand: the term, and the values that it takes in turn. */
struct half {
    struct value value;
    uint64_t samples[SAMPLES];
};

static void draw_half(struct bench *bench, unsigned width, enum operand_kind kind, struct half *half) {
    uint64_t values[SAMPLES];
    uint64_t first = draw_value(width);
    uint64_t most = truncated(UINT64_MAX, width);
    uint64_t stride = 1 + draw_below(9);
    uint64_t steps = (most - first) / stride;
    set_id set;
    switch (kind) {
    case OPERAND_FIXED:
        for (int i = 0; i < SAMPLES; i++) {
            half->samples[i] = first;
        }
        half->value = value_constant(&bench->terms, first);
        return;
    case OPERAND_FREE:
        for (int i = 0; i < SAMPLES; i++) {
            half->samples[i] = draw_value(width);
        }
        set = set_of_width(&bench->sets, width);
        break;
    case OPERAND_FEW:
        for (int i = 0; i < SAMPLES; i++) {
            half->samples[i] = values[i] = draw_value(width);
        }
        set = set_of_values(&bench->sets, values, SAMPLES);
        break;
    default:
        steps = steps > 5000 && draw_below(2) ? draw_below(5000) : steps;
        for (int i = 0; i < SAMPLES; i++) {
            half->samples[i] = first + stride * (steps == UINT64_MAX ? draw() : draw_below(steps + 1));
        }
        set = set_range(&bench->sets, first, steps, stride);
        break;
    }
    half->value = (struct value){term_fresh(&bench->terms, set), set};
}

/* A wide operand takes two registers; `width` is 0 if there is no such operand. */
static void draw_operand(struct bench *bench, unsigned width, struct half half[2]) {
    enum operand_kind kind = (enum operand_kind)draw_below(OPERAND_KINDS);
    for (unsigned i = 0; i < 2; i++) {
        unsigned bits = width > 64 * i ? (width - 64 * i < 64 ? width - 64 * i : 64) : 0;
        if (bits > 0) {
            draw_half(bench, bits, width > 64 && draw_below(2) ? OPERAND_FREE : kind, &half[i]);
        } else {
            half[i] = (struct half){.value = value_constant(&bench->terms, 0)};
        }
    }
}

static void assume_half(struct bench *bench, const struct half *half, int sample) {
    literal bits[64];
    term_bits(&bench->terms, half->value.term, bits, 64);
    for (unsigned i = 0; i < 64; i++) {
        bool holds = half->samples[sample] >> i & 1;
        if (abs(bits[i]) == LITERAL_TRUE) {
            assert_int_equal(bits[i] == LITERAL_TRUE, holds);
        } else {
            gates_need(&bench->gates, bits[i]);
            ccadical_assume(bench->gates.solver, holds ? bits[i] : -bits[i]);
        }
    }
}

static void bench_init(struct bench *bench) {
    sets_init(&bench->sets);
    gates_init(&bench->gates);
    terms_init(&bench->terms, &bench->gates, &bench->sets);
}

static void bench_delete(struct bench *bench) {
    terms_delete(&bench->terms);
    gates_delete(&bench->gates);
    sets_delete(&bench->sets);
}

static void need(struct bench *bench, term_id of) {
    literal bits[64];
    term_bits(&bench->terms, of, bits, 64);
    for (unsigned i = 0; i < 64; i++) {
        gates_need(&bench->gates, bits[i]);
    }
}

/* What the machine does for ADD to SELECT (machine/interpret.c); the others are machine/arithmetic.c's. */
static bool machine_plain(const struct instruction *instruction, const uint64_t in[3][2], uint64_t out[3]) {
    unsigned width = instruction->width;
    uint64_t a = in[0][0];
    uint64_t b = in[1][0];
    unsigned narrow = width <= 64 ? width : 64; /* wide operations are machine/arithmetic.c's */
    int64_t sa = sign_extended(a, narrow);
    int64_t sb = sign_extended(b, narrow);
    unsigned count = shift_count(b, narrow);
    switch (instruction->op) {
    case OP_ADD:
        out[0] = a + b;
        break;
    case OP_SUB:
        out[0] = a - b;
        break;
    case OP_MUL:
        out[0] = a * b;
        break;
    case OP_UDIV:
    case OP_UREM:
        if (b == 0) {
            return false;
        }
        out[0] = instruction->op == OP_UDIV ? a / b : a % b;
        break;
    case OP_SDIV:
    case OP_SREM:
        if (b == 0 || (sb == -1 && a == UINT64_C(1) << (width - 1))) {
            return false;
        }
        out[0] = (uint64_t)(instruction->op == OP_SDIV ? sa / sb : sa % sb);
        break;
    case OP_AND:
        out[0] = a & b;
        break;
    case OP_OR:
        out[0] = a | b;
        break;
    case OP_XOR:
        out[0] = a ^ b;
        break;
    case OP_SHL:
        out[0] = a << count;
        break;
    case OP_LSHR:
        out[0] = a >> count;
        break;
    case OP_ASHR:
        out[0] = (uint64_t)(sa >> count);
        break;
    case OP_ICMP:
        out[0] = compare(instruction->sub, a, b, width);
        return true;
    case OP_SEXT:
        out[0] = truncated((uint64_t)sa, instruction->sub);
        return true;
    case OP_TRUNC:
        break;
    case OP_SELECT:
        out[0] = a ? b : in[2][0];
        return true;
    default:
        return arithmetic_run(instruction, in[0], in[1], in[2], out);
    }
    out[0] = truncated(instruction->op == OP_TRUNC ? a : out[0], width);
    return true;
}

static void fail_with(const struct instruction *instruction, const char *what, const uint64_t in[3][2],
                      const uint64_t expected[3], const uint64_t found[3]) {
    print_error("%s of width %u, selector %u: %s\n", op_table[instruction->op].text, instruction->width,
                instruction->sub, what);
    for (int i = 0; i < 3; i++) {
        print_error("  operand %d: %#llx:%#llx\n", i, (unsigned long long)in[i][1], (unsigned long long)in[i][0]);
    }
    for (int i = 0; i < 3; i++) {
        print_error("  result %d: %#llx, the machine's is %#llx\n", i, (unsigned long long)found[i],
                    (unsigned long long)expected[i]);
    }
    fail();
}

/* The registers that the instruction writes, at most three. */
static unsigned results_of(const struct instruction *instruction) {
    char shape = op_table[instruction->op].shape[0];
    return shape == 'X' ? 3 : shape == 'W' ? 2 : 1;
}

static void check_once(const struct instruction *instruction) {
    struct bench bench;
    struct half operands[3][2];
    struct value values[3][2];
    struct value out[3];
    literal fails;
    bench_init(&bench);
    for (int i = 0; i < 3; i++) {
        char shape = op_table[instruction->op].shape[1 + i];
        unsigned width = instruction->op == OP_TRUNC || (instruction->op == OP_SELECT && i > 0) ? 64
                         : instruction->op == OP_SELECT                                         ? 1
                                                                                                : instruction->width;
        draw_operand(&bench, shape == '-' ? 0 : width, operands[i]);
        values[i][0] = operands[i][0].value;
        values[i][1] = operands[i][1].value;
    }
    assert_null(term_operate(&bench.terms, instruction, (const struct value(*)[2])values, out, &fails));
    unsigned results = results_of(instruction);
    gates_need(&bench.gates, fails);
    for (unsigned i = 0; i < results; i++) {
        need(&bench, out[i].term);
    }
    for (int sample = 0; sample < SAMPLES; sample++) {
        uint64_t in[3][2];
        uint64_t expected[3] = {0};
        uint64_t found[3] = {0};
        for (int i = 0; i < 6; i++) {
            assume_half(&bench, &operands[i / 2][i % 2], sample);
            in[i / 2][i % 2] = operands[i / 2][i % 2].samples[sample];
        }
        bool done = machine_plain(instruction, (const uint64_t(*)[2])in, expected);
        assert_int_equal(ccadical_solve(bench.gates.solver), 10);
        for (unsigned i = 0; i < results; i++) {
            found[i] = term_model(&bench.terms, out[i].term);
        }
        if (gates_value(&bench.gates, fails) == done) {
            fail_with(instruction, "division fails on one side", in, expected, found);
        }
        for (unsigned i = 0; i < results && done; i++) {
            if (found[i] != expected[i]) {
                fail_with(instruction, "results differ", in, expected, found);
            }
            if (!set_has(&bench.sets, out[i].set, found[i])) {
                fail_with(instruction, "a result is not in its set", in, expected, found);
            }
        }
    }
    bench_delete(&bench);
}

static void check(enum op op, unsigned width, unsigned sub, unsigned times) {
    struct instruction instruction = {.op = (uint8_t)op, .width = (uint8_t)width, .sub = (uint8_t)sub};
    for (unsigned i = 0; i < times; i++) {
        check_once(&instruction);
    }
}

static const unsigned widths[] = {1, 8, 16, 32, 64};
#define WIDTHS (sizeof widths / sizeof *widths)
static const unsigned wide_widths[] = {65, 72, 96, 127, 128};
#define WIDE_WIDTHS (sizeof wide_widths / sizeof *wide_widths)

static bool is_costly(unsigned op) {
    return op >= OP_MUL && op <= OP_SREM;
}

static void test_binary(void **state) {
    (void)state;
    for (unsigned op = OP_ADD; op <= OP_ASHR; op++) {
        for (size_t i = 0; i < WIDTHS; i++) {
            check((enum op)op, widths[i], 0, is_costly(op) && widths[i] > 16 ? 6 : 40);
        }
    }
}

static void test_compare(void **state) {
    (void)state;
    for (unsigned predicate = 0; predicate < PREDICATE_COUNT; predicate++) {
        for (size_t i = 0; i < WIDTHS; i++) {
            check(OP_ICMP, widths[i], predicate, 40);
        }
    }
}

static void test_extend_and_select(void **state) {
    (void)state;
    for (size_t i = 0; i < WIDTHS; i++) {
        for (size_t k = i; k < WIDTHS; k++) {
            check(OP_SEXT, widths[i], widths[k], 20);
        }
        check(OP_TRUNC, widths[i], 0, 20);
        check(OP_SELECT, widths[i], 0, 40);
    }
}

static void test_bits(void **state) {
    (void)state;
    for (unsigned kind = 0; kind < BITS_COUNT; kind++) {
        for (size_t i = 1; i < WIDTHS; i++) {
            if (kind != BITS_BYTE_SWAP || widths[i] > 8) {
                check(OP_BITS, widths[i], kind, 30);
            }
        }
    }
    for (size_t i = 1; i < WIDTHS; i++) {
        check(OP_FSHL, widths[i], 0, 40);
        check(OP_FSHR, widths[i], 0, 40);
    }
}

static void test_overflow(void **state) {
    (void)state;
    for (unsigned kind = 0; kind < OVERFLOW_COUNT; kind++) {
        for (size_t i = 1; i < WIDTHS; i++) {
            bool product = kind == OVERFLOW_SMUL || kind == OVERFLOW_UMUL;
            check(OP_OVERFLOW, widths[i], kind, product && widths[i] > 16 ? 5 : 40);
        }
    }
}

static void test_wide(void **state) {
    (void)state;
    for (size_t i = 0; i < WIDE_WIDTHS; i++) {
        for (unsigned op = OP_ADD; op <= OP_ASHR; op++) {
            /* Of four divisions, which take the solver long, one for each width. */
            check(OP_WIDE, wide_widths[i], op, !is_costly(op) ? 20 : op == OP_MUL ? 3 : op % 4 == i % 4);
        }
        for (unsigned predicate = 0; predicate < PREDICATE_COUNT; predicate++) {
            check(OP_WIDE_ICMP, wide_widths[i], predicate, 10);
        }
        for (size_t k = i; k < WIDE_WIDTHS; k++) {
            check(OP_WIDE_SEXT, wide_widths[i], wide_widths[k], 10);
        }
        for (unsigned kind = 0; kind < OVERFLOW_COUNT; kind++) {
            check(OP_WIDE_OVERFLOW, wide_widths[i], kind,
                  kind == OVERFLOW_SMUL + i % 2 ? 1
                  : kind < OVERFLOW_SMUL        ? 10
                                                : 0);
        }
    }
}

static void check_rmw(enum rmw_kind kind, unsigned size) {
    struct bench bench;
    struct half old[2];
    struct half operand[2];
    struct value out[2];
    bench_init(&bench);
    draw_operand(&bench, size * 8, old);
    draw_operand(&bench, size * 8, operand);
    const struct value old_values[] = {old[0].value, old[1].value};
    const struct value operand_values[] = {operand[0].value, operand[1].value};
    assert_null(term_rmw(&bench.terms, kind, size, old_values, operand_values, out));
    need(&bench, out[0].term);
    need(&bench, out[1].term);
    for (int sample = 0; sample < SAMPLES; sample++) {
        uint64_t expected[2] = {0};
        for (int i = 0; i < 2; i++) {
            assume_half(&bench, &old[i], sample);
            assume_half(&bench, &operand[i], sample);
        }
        rmw_apply(kind, size, (uint64_t[]){old[0].samples[sample], old[1].samples[sample]},
                  (uint64_t[]){operand[0].samples[sample], operand[1].samples[sample]}, expected);
        assert_int_equal(ccadical_solve(bench.gates.solver), 10);
        for (int i = 0; i < 2; i++) {
            if (term_model(&bench.terms, out[i].term) != expected[i] ||
                !set_has(&bench.sets, out[i].set, expected[i])) {
                fail_msg("read-modify-write %u of %u bytes", kind, size);
            }
        }
    }
    bench_delete(&bench);
}

static void test_rmw(void **state) {
    (void)state;
    for (unsigned kind = RMW_XCHG; kind <= RMW_UMIN; kind++) {
        for (unsigned size = 1; size <= 16; size *= 2) {
            for (int i = 0; i < 20; i++) {
                check_rmw((enum rmw_kind)kind, size);
            }
        }
    }
}

/* Without any variable the result is a constant, so that a loop over it has a known end. */
static void test_constants(void **state) {
    (void)state;
    for (unsigned op = OP_ADD; op <= OP_ASHR; op++) {
        for (size_t i = 0; i < WIDTHS; i++) {
            struct instruction instruction = {.op = (uint8_t)op, .width = (uint8_t)widths[i]};
            struct bench bench;
            struct half operands[3][2] = {{{.value = {0, 0}}}};
            struct value values[3][2];
            struct value out[3];
            uint64_t in[3][2] = {{0}};
            uint64_t expected[3] = {0};
            uint64_t constant;
            literal fails;
            bench_init(&bench);
            for (int k = 0; k < 6; k++) {
                values[k / 2][k % 2] = value_constant(&bench.terms, 0);
            }
            for (int k = 0; k < 2; k++) {
                draw_half(&bench, widths[i], OPERAND_FIXED, &operands[k][0]);
                values[k][0] = operands[k][0].value;
                in[k][0] = operands[k][0].samples[0];
            }
            assert_null(term_operate(&bench.terms, &instruction, (const struct value(*)[2])values, out, &fails));
            bool done = machine_plain(&instruction, (const uint64_t(*)[2])in, expected);
            assert_int_equal(fails, done ? LITERAL_FALSE : LITERAL_TRUE);
            if (done) {
                if (!value_is_constant(&bench.terms, out[0], &constant)) {
                    fail_with(&instruction, "not a constant", in, expected, expected);
                }
                assert_int_equal(constant, expected[0]);
            }
            bench_delete(&bench);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_binary), cmocka_unit_test(test_compare),   cmocka_unit_test(test_extend_and_select),
        cmocka_unit_test(test_bits),   cmocka_unit_test(test_overflow),  cmocka_unit_test(test_wide),
        cmocka_unit_test(test_rmw),    cmocka_unit_test(test_constants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
