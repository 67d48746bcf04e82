/* Linear integers with the wrap-around of registers.
 *
 * ADD, SUB, MUL by a number, masks, shifts and divisions by numbers, comparisons, extensions and choices are exact,
 * with division and remainder by powers of two; everything else is a fresh variable of the width.
 * tests/prove/test_terms.c holds the formulas against the machine. */
#include <stdio.h>
#include <string.h>

#include "machine/arithmetic.h"
#include "prove/solver.h"
#include "prove/value.h"
#include "prove/z3_library.h"
#include "util/hash_table.h"

/* --- Conditions --------------------------------------------------------------------------------------------------- */

Z3_ast solver_ast(struct solver *solver, struct term term) {
    return term.ast ? term.ast : solver->z3->mk_unsigned_int64(solver->context, term.number, solver->integer);
}

unsigned solver_id(struct solver *solver, Z3_ast condition) {
    return solver->z3->get_ast_id(solver->context, condition);
}

Z3_ast solver_true(struct solver *solver) {
    return solver->z3->mk_true(solver->context);
}

Z3_ast solver_false(struct solver *solver) {
    return solver->z3->mk_false(solver->context);
}

bool solver_is_true(struct solver *solver, Z3_ast condition) {
    return condition == solver_true(solver);
}

bool solver_is_false(struct solver *solver, Z3_ast condition) {
    return condition == solver_false(solver);
}

Z3_ast solver_and(struct solver *solver, Z3_ast one, Z3_ast other) {
    if (one == other || solver_is_true(solver, other) || solver_is_false(solver, one)) {
        return one;
    }
    if (solver_is_true(solver, one) || solver_is_false(solver, other)) {
        return other;
    }
    return solver->z3->mk_and(solver->context, 2, (Z3_ast[]){one, other});
}

Z3_ast solver_or(struct solver *solver, Z3_ast one, Z3_ast other) {
    if (one == other || solver_is_false(solver, other) || solver_is_true(solver, one)) {
        return one;
    }
    if (solver_is_false(solver, one) || solver_is_true(solver, other)) {
        return other;
    }
    return solver->z3->mk_or(solver->context, 2, (Z3_ast[]){one, other});
}

Z3_ast solver_not(struct solver *solver, Z3_ast one) {
    if (solver_is_true(solver, one)) {
        return solver_false(solver);
    }
    return solver_is_false(solver, one) ? solver_true(solver) : solver->z3->mk_not(solver->context, one);
}

static Z3_ast truth(struct solver *solver, bool holds) {
    return holds ? solver_true(solver) : solver_false(solver);
}

Z3_ast solver_equal(struct solver *solver, struct term one, struct term other) {
    if (one.ast == other.ast) {
        return truth(solver, one.ast || one.number == other.number);
    }
    return solver->z3->mk_eq(solver->context, solver_ast(solver, one), solver_ast(solver, other));
}

Z3_ast solver_same_truth(struct solver *solver, Z3_ast one, Z3_ast other) {
    return one == other ? solver_true(solver) : solver->z3->mk_iff(solver->context, one, other);
}

Z3_ast solver_at_most(struct solver *solver, struct term one, struct term other) {
    if (!one.ast && !other.ast) {
        return truth(solver, one.number <= other.number);
    }
    return solver->z3->mk_le(solver->context, solver_ast(solver, one), solver_ast(solver, other));
}

struct term solver_choose(struct solver *solver, Z3_ast condition, struct term yes, struct term no) {
    if (solver_is_true(solver, condition) || terms_same(yes, no)) {
        return yes;
    }
    if (solver_is_false(solver, condition)) {
        return no;
    }
    return (struct term){
        .ast = solver->z3->mk_ite(solver->context, condition, solver_ast(solver, yes), solver_ast(solver, no)),
        .bits = term_bits(yes) > term_bits(no) ? term_bits(yes) : term_bits(no)};
}

/* --- Sums --------------------------------------------------------------------------------------------------------- */

static Z3_ast sum(struct solver *solver, Z3_ast one, Z3_ast other) {
    return solver->z3->mk_add(solver->context, 2, (Z3_ast[]){one, other});
}

static Z3_ast difference(struct solver *solver, Z3_ast one, Z3_ast other) {
    return solver->z3->mk_sub(solver->context, 2, (Z3_ast[]){one, other});
}

static Z3_ast product(struct solver *solver, Z3_ast one, Z3_ast other) {
    return solver->z3->mk_mul(solver->context, 2, (Z3_ast[]){one, other});
}

static Z3_ast less(struct solver *solver, Z3_ast one, Z3_ast other) {
    return solver->z3->mk_lt(solver->context, one, other);
}

static Z3_ast number(struct solver *solver, uint64_t value) {
    return solver->z3->mk_unsigned_int64(solver->context, value, solver->integer);
}

/* 2^bits */
static Z3_ast power(struct solver *solver, unsigned bits) {
    return bits < 64 ? number(solver, UINT64_C(1) << bits)
                     : solver->z3->mk_numeral(solver->context, "18446744073709551616", solver->integer);
}

struct term solver_plus(struct solver *solver, struct term one, struct term other) {
    if (term_is_number(one, 0)) {
        return other;
    }
    if (term_is_number(other, 0)) {
        return one;
    }
    if (!one.ast && !other.ast && one.number <= UINT64_MAX - other.number) {
        return term_number(one.number + other.number);
    }
    return (struct term){.ast = sum(solver, solver_ast(solver, one), solver_ast(solver, other))};
}

struct term solver_times(struct solver *solver, struct term one, uint64_t factor) {
    if (factor == 1 || term_is_number(one, 0)) {
        return one;
    }
    if (factor == 0) {
        return term_number(0);
    }
    if (!one.ast && one.number <= UINT64_MAX / factor) {
        return term_number(one.number * factor);
    }
    return (struct term){.ast = product(solver, number(solver, factor), solver_ast(solver, one))};
}

struct term solver_modulo(struct solver *solver, struct term one, unsigned bits) {
    if (!one.ast) {
        return term_number(one.number & bits_mask(bits));
    }
    if (bits == 0) {
        return term_number(0);
    }
    if (one.bits > 0 && one.bits <= bits) {
        return one;
    }
    return (struct term){.ast = solver->z3->mk_mod(solver->context, one.ast, power(solver, bits)), .bits = bits};
}

struct term solver_divided(struct solver *solver, struct term one, unsigned bits) {
    if (bits == 0) {
        return one;
    }
    if (!one.ast) {
        return term_number(bits < 64 ? one.number >> bits : 0);
    }
    return (struct term){.ast = solver->z3->mk_div(solver->context, one.ast, power(solver, bits))};
}

/* --- Registers ---------------------------------------------------------------------------------------------------- */

static struct term wrapped_add(struct solver *solver, unsigned width, struct term a, struct term b) {
    uint64_t mask = bits_mask(width);
    if (!a.ast && !b.ast) {
        return term_number((a.number + b.number) & mask);
    }
    if (!a.ast) {
        return wrapped_add(solver, width, b, a);
    }
    if (!b.ast && b.number == 0) {
        return a;
    }
    if (!b.ast && b.number > mask / 2) {
        /* A negative number: a - k, or a - k + 2^width. */
        Z3_ast k = number(solver, -b.number & mask);
        Z3_ast result = difference(solver, a.ast, k);
        return (struct term){.ast = solver->z3->mk_ite(solver->context, less(solver, a.ast, k),
                                                       sum(solver, result, power(solver, width)), result)};
    }
    Z3_ast result = sum(solver, a.ast, solver_ast(solver, b));
    return (struct term){.ast = solver->z3->mk_ite(solver->context, less(solver, result, power(solver, width)), result,
                                                   difference(solver, result, power(solver, width)))};
}

static struct term wrapped_subtract(struct solver *solver, unsigned width, struct term a, struct term b) {
    if (!b.ast) {
        return wrapped_add(solver, width, a, term_number(-b.number & bits_mask(width)));
    }
    if (terms_same(a, b)) {
        return term_number(0);
    }
    Z3_ast one = solver_ast(solver, a);
    Z3_ast result = difference(solver, one, b.ast);
    return (struct term){.ast = solver->z3->mk_ite(solver->context, less(solver, one, b.ast),
                                                   sum(solver, result, power(solver, width)), result)};
}

/* A register of `width` bits as a signed number. */
static Z3_ast as_signed(struct solver *solver, unsigned width, struct term a) {
    Z3_ast ast = solver_ast(solver, a);
    return solver->z3->mk_ite(solver->context, less(solver, ast, power(solver, width - 1)), ast,
                              difference(solver, ast, power(solver, width)));
}

static struct term as_unsigned(struct solver *solver, unsigned width, Z3_ast ast) {
    return (struct term){.ast = solver->z3->mk_ite(solver->context, less(solver, ast, number(solver, 0)),
                                                   sum(solver, ast, power(solver, width)), ast)};
}

static struct term of_whole(struct solver *solver, struct term whole) {
    whole.ast = as_unsigned(solver, whole.whole_width, whole.whole).ast;
    return whole;
}

static bool is_power(uint64_t value, unsigned *bits) {
    *bits = (unsigned)__builtin_ctzll(value | UINT64_C(1) << 63);
    return value != 0 && (value & (value - 1)) == 0;
}

/* a & mask, if the mask is one run of bits. */
static bool masked(struct solver *solver, struct term a, uint64_t mask, struct term *result) {
    unsigned low = (unsigned)__builtin_ctzll(mask | UINT64_C(1) << 63);
    uint64_t run = mask >> low;
    if (mask == 0 || (run & (run + 1)) != 0) {
        return false;
    }
    unsigned high = low + (unsigned)__builtin_popcountll(run);
    struct term upper = high >= 64 ? a : solver_modulo(solver, a, high);
    if (low == 0) {
        *result = upper;
    } else {
        Z3_ast lower = solver_ast(solver, solver_modulo(solver, a, low));
        *result = (struct term){.ast = difference(solver, solver_ast(solver, upper), lower)};
    }
    return true;
}

/* Bit by bit, where one operand is 0 or 1, or the other a number that makes it simple. */
static bool logic(struct solver *solver, const struct instruction *code, struct term a, struct term b,
                  struct term *result) {
    uint64_t mask = bits_mask(code->width);
    if (!a.ast) {
        struct term swap = a;
        a = b;
        b = swap;
    }
    if (code->width == 1) {
        Z3_ast one = solver_equal(solver, a, term_number(1));
        struct term negated = solver_choose(solver, one, term_number(0), term_number(1));
        *result = code->op == OP_AND  ? solver_choose(solver, one, b, term_number(0))
                  : code->op == OP_OR ? solver_choose(solver, one, term_number(1), b)
                                      : solver_choose(solver, solver_equal(solver, b, term_number(0)), a, negated);
        return true;
    }
    if (b.ast) {
        if (terms_same(a, b)) {
            *result = code->op == OP_XOR ? term_number(0) : a;
            return true;
        }
        return false;
    }
    if (b.number == 0) {
        *result = code->op == OP_AND ? b : a;
        return true;
    }
    if (code->op == OP_AND) {
        return masked(solver, a, b.number, result);
    }
    if (code->op == OP_XOR && b.number == mask) {
        *result = (struct term){.ast = difference(solver, number(solver, mask), a.ast)};
        return true;
    }
    if (code->op == OP_OR && masked(solver, a, b.number, result)) {
        /* a | m = a - (a & m) + m */
        *result = (struct term){
            .ast = sum(solver, difference(solver, a.ast, solver_ast(solver, *result)), number(solver, b.number))};
        return true;
    }
    return false;
}

/* Operations whose second operand is a number. */
static bool by_number(struct solver *solver, const struct instruction *code, struct term a, uint64_t b,
                      struct term *result) {
    unsigned bits;
    unsigned count = shift_count(b, code->width);
    switch (code->op) {
    case OP_MUL:
        *result = solver_modulo(solver, solver_times(solver, a, b), code->width);
        return true;
    case OP_SHL:
        if (count >= code->width) {
            *result = term_number(0);
            return true;
        }
        *result = solver_modulo(solver, solver_times(solver, a, UINT64_C(1) << count), code->width);
        return true;
    case OP_LSHR:
        *result = solver_divided(solver, a, count);
        return true;
    case OP_ASHR:
        *result =
            as_unsigned(solver, code->width,
                        solver->z3->mk_div(solver->context, as_signed(solver, code->width, a), power(solver, count)));
        return true;
    case OP_UDIV:
        *result = (struct term){.ast = solver->z3->mk_div(solver->context, solver_ast(solver, a), number(solver, b))};
        return b != 0;
    case OP_UREM:
        if (is_power(b, &bits)) {
            *result = solver_modulo(solver, a, bits);
            return true;
        }
        *result = (struct term){.ast = solver->z3->mk_mod(solver->context, solver_ast(solver, a), number(solver, b))};
        return b != 0;
    default:
        return false;
    }
}

static struct term sign_extend(struct solver *solver, unsigned from, unsigned to, struct term a) {
    if (!a.ast) {
        return term_number((uint64_t)sign_extended(a.number, from) & bits_mask(to));
    }
    struct term whole = {.whole = as_signed(solver, from, a), .whole_bits = from - 1, .whole_width = to};
    return of_whole(solver, whole);
}

/* --- Whole numbers ------------------------------------------------------------------------------------------------ */

/* An index is a signed number that is made longer, multiplied by a size, and added to an address: as an integer that
 * needs no division and only one case for wrap-around, at the end. */

/* The same term as an integer; false if it may be too large. */
static bool whole_of(struct solver *solver, unsigned width, struct term *term) {
    if (term->whole && term->whole_width >= width) {
        return true;
    }
    int64_t value = sign_extended(term->number, width);
    if (term->ast && term_bits(*term) < width) {
        *term = (struct term){.whole = term->ast, .whole_bits = term_bits(*term)};
    } else if (!term->ast && value > INT64_MIN) {
        uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value;
        Z3_ast whole = number(solver, size);
        *term = (struct term){.whole = value < 0 ? difference(solver, number(solver, 0), whole) : whole,
                              .whole_bits = term_bits(term_number(size))};
    } else {
        return false;
    }
    term->whole_width = width;
    return true;
}

/* ADD, SUB, and MUL or SHL by a number, if one of the operands is such an integer and the result fits. */
static bool whole_operation(struct solver *solver, const struct instruction *code, struct term a, struct term b,
                            struct term *result) {
    unsigned width = code->width;
    struct term whole = {.whole_width = width};
    if (!a.ast && (code->op == OP_ADD || code->op == OP_MUL)) {
        struct term swap = a;
        a = b;
        b = swap;
    }
    if (!(a.whole && a.whole_width >= width) && !(b.whole && b.whole_width >= width)) {
        return false;
    }
    if (code->op == OP_ADD || code->op == OP_SUB) {
        if (!whole_of(solver, width, &a) || !whole_of(solver, width, &b)) {
            return false;
        }
        whole.whole = code->op == OP_ADD ? sum(solver, a.whole, b.whole) : difference(solver, a.whole, b.whole);
        whole.whole_bits = (a.whole_bits > b.whole_bits ? a.whole_bits : b.whole_bits) + 1;
    } else if ((code->op == OP_MUL || code->op == OP_SHL) && !b.ast && a.whole && a.whole_width >= width) {
        uint64_t factor = code->op == OP_MUL ? b.number : UINT64_C(1) << shift_count(b.number, width);
        whole.whole = product(solver, number(solver, factor), a.whole);
        whole.whole_bits = a.whole_bits + term_bits(term_number(factor));
    } else {
        return false;
    }
    if (whole.whole_bits >= width - 1) {
        return false;
    }
    *result = of_whole(solver, whole);
    return true;
}

/* --- Comparisons -------------------------------------------------------------------------------------------------- */

/* Is the register, as a signed number, negative? */
static Z3_ast is_negative(struct solver *solver, unsigned width, struct term a) {
    uint64_t least = UINT64_C(1) << (width - 1);
    return term_bits(a) < width ? solver_false(solver) : solver_at_most(solver, term_number(least), a);
}

/* a <= b as signed numbers: only a is negative, or not only b is and a <= b without signs.  That needs no choice
 * between two terms. */
static Z3_ast signed_at_most(struct solver *solver, unsigned width, struct term a, struct term b) {
    Z3_ast a_negative = is_negative(solver, width, a);
    Z3_ast b_negative = is_negative(solver, width, b);
    Z3_ast in_order = solver_at_most(solver, a, b);
    return solver_or(solver, solver_and(solver, a_negative, solver_not(solver, b_negative)),
                     solver_and(solver, solver_or(solver, a_negative, solver_not(solver, b_negative)), in_order));
}

Z3_ast solver_compare(struct solver *solver, enum predicate predicate, unsigned width, struct term a, struct term b) {
    if (!a.ast && !b.ast) {
        return truth(solver, compare(predicate, a.number, b.number, width));
    }
    switch (predicate) {
    case PREDICATE_EQ:
        return solver_equal(solver, a, b);
    case PREDICATE_NE:
        return solver_not(solver, solver_equal(solver, a, b));
    case PREDICATE_ULT:
        return less(solver, solver_ast(solver, a), solver_ast(solver, b));
    case PREDICATE_ULE:
        return solver_at_most(solver, a, b);
    case PREDICATE_UGT:
        return less(solver, solver_ast(solver, b), solver_ast(solver, a));
    case PREDICATE_UGE:
        return solver_at_most(solver, b, a);
    case PREDICATE_SLT:
        return solver_not(solver, signed_at_most(solver, width, b, a));
    case PREDICATE_SLE:
        return signed_at_most(solver, width, a, b);
    case PREDICATE_SGT:
        return solver_not(solver, signed_at_most(solver, width, a, b));
    default:
        return signed_at_most(solver, width, b, a);
    }
}

struct term solver_unknown(struct solver *solver, uint32_t what, uint32_t result, struct term a, struct term b,
                           struct term c, unsigned bits) {
    const uint64_t key[] = {(uint64_t)what << 32 | result,
                            (uintptr_t)a.ast,
                            a.number,
                            (uintptr_t)b.ast,
                            b.number,
                            (uintptr_t)c.ast,
                            c.number};
    bool found;
    uint64_t *slot = hash_table_slot(solver->fresh_of, key, sizeof key, &found);
    if (!found) {
        *slot = solver->fresh.count;
        struct term variable = solver_variable(solver, "value", 0, bits_mask(bits));
        vector_push(&solver->fresh, &variable);
    }
    return *(struct term *)vector_at(&solver->fresh, *slot);
}

struct term solver_byte(struct solver *solver, struct term term, unsigned size, unsigned index) {
    if (!term.ast) {
        return term_number(term.number >> 8 * index & 0xff);
    }
    if (size == 1) {
        return term;
    }
    size_t known = solver->fresh.count;
    struct term bytes[8];
    struct term all = term_number(0);
    for (unsigned i = 0; i < size; i++) {
        bytes[i] = solver_unknown(solver, 0xb0000000u + size, i, term, term_number(0), term_number(0), 8);
        all = solver_plus(solver, all, solver_times(solver, bytes[i], UINT64_C(1) << 8 * i));
    }
    for (unsigned i = 0; i < size && solver->fresh.count > known; i++) {
        solver_bound(solver, bytes[i], solver_equal(solver, all, term));
    }
    return bytes[index];
}

static struct term operation(struct solver *solver, const struct instruction *code, struct term a, struct term b,
                             struct term c) {
    struct term result;
    uint64_t known;
    if (whole_operation(solver, code, a, b, &result)) {
        return result;
    }
    switch (code->op) {
    case OP_ADD:
        return wrapped_add(solver, code->width, a, b);
    case OP_SUB:
        return wrapped_subtract(solver, code->width, a, b);
    case OP_ICMP:
        return solver_choose(solver, solver_compare(solver, (enum predicate)code->sub, code->width, a, b),
                             term_number(1), term_number(0));
    case OP_SEXT:
        return sign_extend(solver, code->width, code->sub, a);
    case OP_TRUNC:
        return solver_modulo(solver, a, code->width);
    case OP_SELECT:
        return solver_choose(solver, solver_equal(solver, a, term_number(0)), c, b);
    default:
        break;
    }
    bool is_integer = code->op >= OP_ADD && code->op <= OP_ASHR && code->width <= 64;
    if (is_integer && !a.ast && !b.ast && arithmetic_result(code, a.number, b.number, 0, &known)) {
        return term_number(known);
    }
    bool is_logic = code->op == OP_AND || code->op == OP_OR || code->op == OP_XOR;
    if (is_logic && logic(solver, code, a, b, &result)) {
        return result;
    }
    if (!is_logic && !b.ast && by_number(solver, code, a, b.number, &result)) {
        return result;
    }
    if (code->op == OP_MUL && !a.ast && by_number(solver, code, b, a.number, &result)) {
        return result;
    }
    uint32_t what = (uint32_t)code->op << 16 | (uint32_t)code->width << 8 | code->sub;
    return solver_unknown(solver, what, 0, a, b, c, code->width);
}

struct term solver_operation(struct solver *solver, const struct instruction *code, struct term a, struct term b,
                             struct term c) {
    struct term result = operation(solver, code, a, b, c);
    if (result.ast && code->op != OP_SELECT) {
        result.bits = code->op == OP_ICMP ? 1 : code->op == OP_SEXT ? code->sub : code->width;
    }
    return result;
}
