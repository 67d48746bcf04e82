/* Circuits.  A division is a constraint: quotient and remainder are free, and their product and sum is the dividend. */
#include "seq/circuit.h"

#include <string.h>

#define ADDEND (CIRCUIT_BITS * 2)

static void fill(literal *out, unsigned from, unsigned to, literal with) {
    for (unsigned i = from; i < to; i++) {
        out[i] = with;
    }
}

/* a + b + carry; returns the carry out. */
static literal add(struct gates *gates, unsigned width, const literal *a, const literal *b, literal carry,
                   literal *out) {
    for (unsigned i = 0; i < width; i++) {
        literal sum = gates_xor(gates, a[i], b[i]);
        literal next = gates_majority(gates, a[i], b[i], carry);
        out[i] = gates_xor(gates, sum, carry);
        carry = next;
    }
    return carry;
}

static literal subtract(struct gates *gates, unsigned width, const literal *a, const literal *b, literal *out) {
    literal inverse[CIRCUIT_BITS * 2];
    for (unsigned i = 0; i < width; i++) {
        inverse[i] = -b[i];
    }
    return add(gates, width, a, inverse, LITERAL_TRUE, out);
}

static unsigned known_bits(unsigned width, const literal *a) {
    unsigned known = 0;
    for (unsigned i = 0; i < width; i++) {
        known += a[i] == LITERAL_FALSE;
    }
    return known;
}

/* The lowest `wanted` bits of a * b; operands have `width` bits. */
static void multiply(struct gates *gates, unsigned width, unsigned wanted, const literal *a, const literal *b,
                     literal *out) {
    if (known_bits(width, a) > known_bits(width, b)) {
        const literal *swap = a;
        a = b;
        b = swap;
    }
    literal sum[ADDEND];
    fill(sum, 0, wanted, LITERAL_FALSE);
    for (unsigned i = 0; i < width && i < wanted; i++) {
        if (b[i] == LITERAL_FALSE) {
            continue;
        }
        literal row[ADDEND];
        literal next[ADDEND];
        unsigned left = wanted - i;
        for (unsigned k = 0; k < left; k++) {
            row[k] = k < width ? gates_and(gates, a[k], b[i]) : LITERAL_FALSE;
        }
        add(gates, left, sum + i, row, LITERAL_FALSE, next);
        memcpy(sum + i, next, left * sizeof *next);
    }
    memcpy(out, sum, wanted * sizeof *sum);
}

static void negate_if(struct gates *gates, unsigned width, literal condition, const literal *a, literal *out) {
    literal flipped[CIRCUIT_BITS];
    literal zero[CIRCUIT_BITS];
    for (unsigned i = 0; i < width; i++) {
        flipped[i] = gates_xor(gates, a[i], condition);
    }
    fill(zero, 0, width, LITERAL_FALSE);
    add(gates, width, flipped, zero, condition, out);
}

/* Unsigned quotient and remainder; where b is 0 they are anything that satisfies q * 0 + r = a. */
static void divide(struct gates *gates, unsigned width, const literal *a, const literal *b, literal *quotient,
                   literal *remainder) {
    literal first = 0;
    for (unsigned i = 0; i < width; i++) {
        literal q = gates_free(gates);
        first = first ? first : q;
        quotient[i] = q;
    }
    for (unsigned i = 0; i < width; i++) {
        remainder[i] = gates_free(gates);
    }
    literal product[ADDEND];
    literal sum[ADDEND];
    literal wide[ADDEND];
    multiply(gates, width, 2 * width, quotient, b, product);
    fill(wide, 0, ADDEND, LITERAL_FALSE);
    memcpy(wide, remainder, width * sizeof *wide);
    add(gates, 2 * width, product, wide, LITERAL_FALSE, sum);
    literal asserted[ADDEND + 2];
    size_t count = 0;
    for (unsigned i = 0; i < 2 * width; i++) {
        asserted[count++] = gates_equal(gates, sum[i], i < width ? a[i] : LITERAL_FALSE);
    }
    literal zero = -circuit_any(gates, width, b);
    asserted[count++] = gates_or(gates, zero, circuit_compare(gates, PREDICATE_ULT, width, remainder, b));
    gates_define(gates, first, asserted, count);
}

static void divide_signed(struct gates *gates, enum op op, unsigned width, const literal *a, const literal *b,
                          literal *out) {
    bool is_signed = op == OP_SDIV || op == OP_SREM;
    literal minus_a = is_signed ? a[width - 1] : LITERAL_FALSE;
    literal minus_b = is_signed ? b[width - 1] : LITERAL_FALSE;
    literal x[CIRCUIT_BITS];
    literal y[CIRCUIT_BITS];
    literal quotient[CIRCUIT_BITS];
    literal remainder[CIRCUIT_BITS];
    negate_if(gates, width, minus_a, a, x);
    negate_if(gates, width, minus_b, b, y);
    divide(gates, width, x, y, quotient, remainder);
    if (op == OP_SDIV || op == OP_UDIV) {
        negate_if(gates, width, gates_xor(gates, minus_a, minus_b), quotient, out);
    } else {
        negate_if(gates, width, minus_a, remainder, out);
    }
}

/* Shifts take the count modulo the next power of two, at least 32: higher bits of the count are ignored. */
static void shift(struct gates *gates, enum op op, unsigned width, const literal *a, const literal *b, literal *out) {
    unsigned stages = width <= 32 ? 5 : width <= 64 ? 6 : 7;
    literal now[CIRCUIT_BITS];
    literal fill_with = op == OP_ASHR ? a[width - 1] : LITERAL_FALSE;
    memcpy(now, a, width * sizeof *now);
    for (unsigned stage = 0; stage < stages; stage++) {
        unsigned by = 1u << stage;
        literal next[CIRCUIT_BITS];
        literal count = stage < width ? b[stage] : LITERAL_FALSE;
        for (unsigned i = 0; i < width; i++) {
            bool inside = op == OP_SHL ? i >= by : i + by < width;
            literal moved = !inside ? fill_with : op == OP_SHL ? now[i - by] : now[i + by];
            next[i] = gates_mux(gates, count, moved, now[i]);
        }
        memcpy(now, next, width * sizeof *now);
    }
    memcpy(out, now, width * sizeof *now);
}

void circuit_binary(struct gates *gates, enum op op, unsigned width, const literal *a, const literal *b, literal *out) {
    switch (op) {
    case OP_ADD:
        add(gates, width, a, b, LITERAL_FALSE, out);
        break;
    case OP_SUB:
        subtract(gates, width, a, b, out);
        break;
    case OP_MUL:
        multiply(gates, width, width, a, b, out);
        break;
    case OP_UDIV:
    case OP_SDIV:
    case OP_UREM:
    case OP_SREM:
        divide_signed(gates, op, width, a, b, out);
        break;
    case OP_AND:
    case OP_OR:
    case OP_XOR:
        for (unsigned i = 0; i < width; i++) {
            out[i] = op == OP_AND  ? gates_and(gates, a[i], b[i])
                     : op == OP_OR ? gates_or(gates, a[i], b[i])
                                   : gates_xor(gates, a[i], b[i]);
        }
        break;
    default:
        shift(gates, op, width, a, b, out);
        break;
    }
}

literal circuit_any(struct gates *gates, unsigned width, const literal *a) {
    literal any = LITERAL_FALSE;
    for (unsigned i = 0; i < width; i++) {
        any = gates_or(gates, any, a[i]);
    }
    return any;
}

literal circuit_equal(struct gates *gates, unsigned width, const literal *a, const literal *b) {
    literal equal = LITERAL_TRUE;
    for (unsigned i = 0; i < width; i++) {
        equal = gates_and(gates, equal, gates_equal(gates, a[i], b[i]));
    }
    return equal;
}

static literal less(struct gates *gates, unsigned width, const literal *a, const literal *b, bool or_equal,
                    bool is_signed) {
    literal below = or_equal ? LITERAL_TRUE : LITERAL_FALSE;
    for (unsigned i = 0; i < width; i++) {
        literal x = is_signed && i + 1 == width ? -a[i] : a[i];
        literal y = is_signed && i + 1 == width ? -b[i] : b[i];
        below = gates_majority(gates, -x, y, below);
    }
    return below;
}

literal circuit_compare(struct gates *gates, enum predicate predicate, unsigned width, const literal *a,
                        const literal *b) {
    switch (predicate) {
    case PREDICATE_EQ:
        return circuit_equal(gates, width, a, b);
    case PREDICATE_NE:
        return -circuit_equal(gates, width, a, b);
    case PREDICATE_ULT:
    case PREDICATE_SLT:
        return less(gates, width, a, b, false, predicate == PREDICATE_SLT);
    case PREDICATE_ULE:
    case PREDICATE_SLE:
        return less(gates, width, a, b, true, predicate == PREDICATE_SLE);
    case PREDICATE_UGT:
    case PREDICATE_SGT:
        return less(gates, width, b, a, false, predicate == PREDICATE_SGT);
    default:
        return less(gates, width, b, a, true, predicate == PREDICATE_SGE);
    }
}

void circuit_mux(struct gates *gates, unsigned width, literal condition, const literal *a, const literal *b,
                 literal *out) {
    for (unsigned i = 0; i < width; i++) {
        out[i] = gates_mux(gates, condition, a[i], b[i]);
    }
}

/* --- The rarer ones ----------------------------------------------------------------------------------------------- */

/* The number of literals that hold, from `from` on: added up in turn. */
static void count_bits(struct gates *gates, unsigned width, const literal *a, literal *out) {
    fill(out, 0, width, LITERAL_FALSE);
    for (unsigned i = 0; i < width; i++) {
        literal carry = a[i];
        for (unsigned k = 0; k < width && k < 8 && carry != LITERAL_FALSE; k++) {
            literal sum = gates_xor(gates, out[k], carry);
            carry = gates_and(gates, out[k], carry);
            out[k] = sum;
        }
    }
}

void circuit_bits(struct gates *gates, enum bits_kind kind, unsigned width, const literal *a, literal *out) {
    literal mask[CIRCUIT_BITS];
    literal seen = LITERAL_FALSE;
    switch (kind) {
    case BITS_POPULATION:
        count_bits(gates, width, a, out);
        break;
    case BITS_LEADING_ZEROS:
        for (unsigned i = width; i-- > 0;) {
            seen = gates_or(gates, seen, a[i]);
            mask[i] = -seen;
        }
        count_bits(gates, width, mask, out);
        break;
    case BITS_TRAILING_ZEROS:
        for (unsigned i = 0; i < width; i++) {
            seen = gates_or(gates, seen, a[i]);
            mask[i] = -seen;
        }
        count_bits(gates, width, mask, out);
        break;
    case BITS_BYTE_SWAP:
        for (unsigned i = 0; i < width; i++) {
            out[i] = a[width - 8 - i / 8 * 8 + i % 8];
        }
        break;
    case BITS_REVERSE:
        for (unsigned i = 0; i < width; i++) {
            out[i] = a[width - 1 - i];
        }
        break;
    default:
        negate_if(gates, width, a[width - 1], a, out);
        break;
    }
}

literal circuit_overflow(struct gates *gates, enum overflow_kind kind, unsigned width, const literal *a,
                         const literal *b, literal *out) {
    literal wide_a[ADDEND];
    literal wide_b[ADDEND];
    literal wide[ADDEND];
    bool is_signed = kind == OVERFLOW_SADD || kind == OVERFLOW_SSUB || kind == OVERFLOW_SMUL;
    bool is_product = kind == OVERFLOW_SMUL || kind == OVERFLOW_UMUL;
    unsigned width_wide = is_product ? 2 * width : width + 1;
    memcpy(wide_a, a, width * sizeof *a);
    memcpy(wide_b, b, width * sizeof *b);
    fill(wide_a, width, width_wide, is_signed ? a[width - 1] : LITERAL_FALSE);
    fill(wide_b, width, width_wide, is_signed ? b[width - 1] : LITERAL_FALSE);
    if (is_product) {
        multiply(gates, width_wide, width_wide, wide_a, wide_b, wide);
    } else if (kind == OVERFLOW_SADD || kind == OVERFLOW_UADD) {
        add(gates, width_wide, wide_a, wide_b, LITERAL_FALSE, wide);
    } else {
        subtract(gates, width_wide, wide_a, wide_b, wide);
    }
    memcpy(out, wide, width * sizeof *out);
    literal overflow = LITERAL_FALSE;
    for (unsigned i = width; i < width_wide; i++) {
        literal expected = is_signed ? wide[width - 1] : LITERAL_FALSE;
        overflow = gates_or(gates, overflow, gates_xor(gates, wide[i], expected));
    }
    return overflow;
}

void circuit_funnel(struct gates *gates, bool left, unsigned width, const literal *a, const literal *b,
                    const literal *c, literal *out) {
    /* Widths are powers of two in practice; others take the remainder. */
    literal count[CIRCUIT_BITS];
    literal limit[CIRCUIT_BITS];
    if ((width & (width - 1)) == 0) {
        for (unsigned i = 0; i < width; i++) {
            count[i] = i < 8 && (1u << i) < width ? c[i] : LITERAL_FALSE;
        }
    } else {
        for (unsigned i = 0; i < width; i++) {
            limit[i] = i < 32 && (width >> i & 1) ? LITERAL_TRUE : LITERAL_FALSE;
        }
        literal quotient[CIRCUIT_BITS];
        divide(gates, width, c, limit, quotient, count);
    }
    literal now[CIRCUIT_BITS];
    unsigned both = 2 * width;
    memcpy(now, b, width * sizeof *b);
    memcpy(now + width, a, width * sizeof *a);
    for (unsigned stage = 0; stage < 7 && (1u << stage) < width; stage++) {
        unsigned by = 1u << stage;
        literal next[CIRCUIT_BITS];
        for (unsigned i = 0; i < both; i++) {
            bool inside = left ? i >= by : i + by < both;
            literal moved = !inside ? LITERAL_FALSE : left ? now[i - by] : now[i + by];
            next[i] = gates_mux(gates, count[stage], moved, now[i]);
        }
        memcpy(now, next, both * sizeof *now);
    }
    memcpy(out, left ? now + width : now, width * sizeof *out);
}
