/* Terms: interning, and operations by circuit, by constant, or by table. */
#include "seq/term.h"

#include <stdlib.h>

#include "machine/arithmetic.h"
#include "seq/circuit.h"
#include "util/memory.h"

#define MOST_ROWS 256 /* of a table */

void terms_init(struct terms *terms, struct gates *gates, struct sets *sets) {
    *terms = (struct terms){.gates = gates, .sets = sets, .table_size = 1 << 10};
    vector_init(&terms->data, sizeof(struct term_data));
    vector_init(&terms->literals, sizeof(literal));
    terms->table = memory_allocate(terms->table_size * sizeof *terms->table);
    struct term_data *zero = vector_grow(&terms->data, 1);
    zero->constant = true;
}

void terms_delete(struct terms *terms) {
    vector_delete(&terms->data);
    vector_delete(&terms->literals);
    free(terms->table);
}

/* --- Interning ---------------------------------------------------------------------------------------------------- */

static const literal *literals_of(const struct terms *terms, const struct term_data *data) {
    return data->count ? (const literal *)vector_at(&terms->literals, data->first) : NULL;
}

static uint64_t hash_of(const literal *bits, unsigned count) {
    uint64_t hash = count;
    for (unsigned i = 0; i < count; i++) {
        hash = (hash ^ (uint32_t)bits[i]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return hash ^ hash >> 32;
}

static void grow_table(struct terms *terms) {
    free(terms->table);
    terms->table_size *= 2;
    terms->table = memory_allocate(terms->table_size * sizeof *terms->table);
    for (size_t i = 1; i < terms->data.count; i++) {
        const struct term_data *data = vector_at(&terms->data, i);
        size_t at = hash_of(literals_of(terms, data), data->count) & (terms->table_size - 1);
        while (terms->table[at]) {
            at = (at + 1) & (terms->table_size - 1);
        }
        terms->table[at] = (uint32_t)i;
    }
}

term_id term_of_bits(struct terms *terms, const literal *bits, unsigned count) {
    while (count > 0 && bits[count - 1] == LITERAL_FALSE) {
        count--;
    }
    if (count == 0) {
        return 0;
    }
    if (terms->data.count * 2 > terms->table_size) {
        grow_table(terms);
    }
    size_t at = hash_of(bits, count) & (terms->table_size - 1);
    for (; terms->table[at]; at = (at + 1) & (terms->table_size - 1)) {
        const struct term_data *data = vector_at(&terms->data, terms->table[at]);
        if (data->count == count && memcmp(literals_of(terms, data), bits, count * sizeof *bits) == 0) {
            return terms->table[at];
        }
    }
    struct term_data data = {.first = (uint32_t)terms->literals.count, .count = (uint8_t)count, .constant = true};
    for (unsigned i = 0; i < count; i++) {
        vector_push(&terms->literals, &bits[i]);
        data.constant = data.constant && abs(bits[i]) == LITERAL_TRUE;
        data.value |= (uint64_t)(bits[i] == LITERAL_TRUE) << i;
    }
    terms->table[at] = (uint32_t)terms->data.count;
    vector_push(&terms->data, &data);
    return (term_id)(terms->data.count - 1);
}

term_id term_constant(struct terms *terms, uint64_t value) {
    literal bits[64];
    for (unsigned i = 0; i < 64; i++) {
        bits[i] = value >> i & 1 ? LITERAL_TRUE : LITERAL_FALSE;
    }
    return term_of_bits(terms, bits, 64);
}

bool term_is_constant(const struct terms *terms, term_id of, uint64_t *value) {
    const struct term_data *data = vector_at(&terms->data, of);
    *value = data->value;
    return data->constant;
}

void term_bits(const struct terms *terms, term_id of, literal *bits, unsigned count) {
    const struct term_data *data = vector_at(&terms->data, of);
    const literal *from = literals_of(terms, data);
    unsigned have = data->count < count ? data->count : count;
    if (have > 0) {
        memcpy(bits, from, have * sizeof *bits);
    }
    for (unsigned i = have; i < count; i++) {
        bits[i] = LITERAL_FALSE;
    }
}

uint64_t term_model(struct terms *terms, term_id of) {
    literal bits[64];
    uint64_t value = 0;
    term_bits(terms, of, bits, 64);
    for (unsigned i = 0; i < 64; i++) {
        value |= (uint64_t)gates_value(terms->gates, bits[i]) << i;
    }
    return value;
}

/* --- Simple operations -------------------------------------------------------------------------------------------- */

literal term_equals(struct terms *terms, term_id of, uint64_t value) {
    literal bits[64];
    literal equal = LITERAL_TRUE;
    term_bits(terms, of, bits, 64);
    for (unsigned i = 0; i < 64 && equal != LITERAL_FALSE; i++) {
        equal = gates_and(terms->gates, equal, value >> i & 1 ? bits[i] : -bits[i]);
    }
    return equal;
}

literal term_equal(struct terms *terms, term_id one, term_id other) {
    literal a[64];
    literal b[64];
    if (one == other) {
        return LITERAL_TRUE;
    }
    term_bits(terms, one, a, 64);
    term_bits(terms, other, b, 64);
    return circuit_equal(terms->gates, 64, a, b);
}

literal term_any(struct terms *terms, term_id of) {
    literal bits[64];
    term_bits(terms, of, bits, 64);
    return circuit_any(terms->gates, 64, bits);
}

term_id term_mux(struct terms *terms, literal condition, term_id one, term_id other) {
    literal a[64];
    literal b[64];
    literal out[64];
    if (one == other || condition == LITERAL_TRUE) {
        return one;
    }
    if (condition == LITERAL_FALSE) {
        return other;
    }
    term_bits(terms, one, a, 64);
    term_bits(terms, other, b, 64);
    circuit_mux(terms->gates, 64, condition, a, b, out);
    return term_of_bits(terms, out, 64);
}

term_id term_part(struct terms *terms, term_id of, unsigned low, unsigned count) {
    literal bits[64];
    term_bits(terms, of, bits, 64);
    return term_of_bits(terms, bits + low, count);
}

/* Bits from `first` on: those that are equal, or opposite, in all bases share a literal. */
static void fresh_columns(struct terms *terms, const uint64_t *bases, size_t count, unsigned first, literal bits[64]) {
    uint64_t columns[64];
    uint64_t all = count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
    for (unsigned i = first; i < 64; i++) {
        uint64_t column = 0;
        for (size_t k = 0; k < count; k++) {
            column |= (bases[k] >> i & 1) << k;
        }
        columns[i] = column;
        bits[i] = column == 0 ? LITERAL_FALSE : column == all ? LITERAL_TRUE : 0;
        for (unsigned k = first; k < i && bits[i] == 0; k++) {
            bits[i] = columns[k] == column ? bits[k] : columns[k] == (column ^ all) ? -bits[k] : 0;
        }
        if (bits[i] == 0) {
            bits[i] = gates_free(terms->gates);
        }
    }
}

/* The number of low bits that differ within a stretch of the set. */
static unsigned changing_bits(const uint64_t *bases, size_t count, uint64_t extent) {
    uint64_t differ = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t last = bases[i] + extent;
        differ |= last < bases[i] ? UINT64_MAX : bases[i] ^ last;
    }
    return differ ? 64 - (unsigned)__builtin_clzll(differ) : 0;
}

term_id term_fresh(struct terms *terms, set_id set) {
    size_t count;
    const uint64_t *bases = set_bases(terms->sets, set, &count);
    const struct set_data *data = set_data(terms->sets, set);
    unsigned changing = changing_bits(bases, count, data->extent);
    uint64_t differ = data->stride; /* its lowest bit is the lowest that is not the same in all values */
    for (size_t i = 1; i < count; i++) {
        differ |= bases[i] ^ bases[0];
    }
    literal bits[64];
    for (unsigned i = 0; i < changing; i++) {
        bool fixed = (UINT64_C(1) << i) < (differ & (~differ + 1));
        bits[i] = !fixed ? gates_free(terms->gates) : bases[0] >> i & 1 ? LITERAL_TRUE : LITERAL_FALSE;
    }
    fresh_columns(terms, bases, count, changing, bits);
    return term_of_bits(terms, bits, 64);
}

struct value value_constant(struct terms *terms, uint64_t value) {
    return (struct value){term_constant(terms, value), set_of(terms->sets, value)};
}

bool value_is_constant(const struct terms *terms, struct value value, uint64_t *constant) {
    return term_is_constant(terms, value.term, constant);
}

struct value value_mux(struct terms *terms, literal condition, struct value one, struct value other) {
    term_id joined = term_mux(terms, condition, one.term, other.term);
    uint64_t constant;
    if (term_is_constant(terms, joined, &constant)) {
        return (struct value){joined, set_of(terms->sets, constant)};
    }
    return (struct value){joined, condition == LITERAL_TRUE    ? one.set
                                  : condition == LITERAL_FALSE ? other.set
                                                               : set_join(terms->sets, one.set, other.set)};
}

/* --- Operations --------------------------------------------------------------------------------------------------- */

/* A term with the only value that it can have is that constant: quotients of constants are free variables otherwise. */
static struct value with_set(struct terms *terms, term_id of, set_id set) {
    uint64_t constant;
    size_t count;
    if (term_is_constant(terms, of, &constant)) {
        return (struct value){of, set_of(terms->sets, constant)};
    }
    const uint64_t *values = set_values(terms->sets, set, &count);
    return values && count == 1 ? value_constant(terms, values[0]) : (struct value){of, set};
}

static struct value of_literal(struct terms *terms, literal holds) {
    set_id set = holds == LITERAL_TRUE    ? set_of(terms->sets, 1)
                 : holds == LITERAL_FALSE ? set_of(terms->sets, 0)
                                          : set_range(terms->sets, 0, 1, 1);
    return (struct value){term_of_bits(terms, &holds, 1), set};
}

static void pair_bits(const struct terms *terms, const struct value operand[2], literal *bits) {
    term_bits(terms, operand[0].term, bits, 64);
    term_bits(terms, operand[1].term, bits + 64, 64);
}

static void give_pair(struct terms *terms, const literal *bits, unsigned width, struct value out[2]) {
    for (unsigned i = 0; i < 2; i++) {
        unsigned low = 64 * i;
        unsigned count = width > low ? (width - low < 64 ? width - low : 64) : 0;
        term_id half = term_of_bits(terms, bits + low, count);
        out[i] = with_set(terms, half, set_of_width(terms->sets, count ? count : 1));
    }
}

/* A division of `width` bits fails if the divisor is 0, or, signed, for the smallest number by -1. */
static literal division_fails(struct terms *terms, enum op op, unsigned width, const literal *a, const literal *b) {
    struct gates *gates = terms->gates;
    literal fails = -circuit_any(gates, width, b);
    if (op == OP_SDIV || op == OP_SREM) {
        literal smallest = LITERAL_TRUE;
        literal minus_one = LITERAL_TRUE;
        for (unsigned i = 0; i < width; i++) {
            smallest = gates_and(gates, smallest, i + 1 == width ? a[i] : -a[i]);
            minus_one = gates_and(gates, minus_one, b[i]);
        }
        fails = gates_or(gates, fails, gates_and(gates, smallest, minus_one));
    }
    return fails;
}

static bool is_division(unsigned op) {
    return op == OP_UDIV || op == OP_SDIV || op == OP_UREM || op == OP_SREM;
}

/* Number of operands of an instruction, each with its registers. */
static unsigned operand_registers(const struct instruction *instruction, int operand) {
    char shape = op_table[instruction->op].shape[1 + operand];
    return shape == 'R' || (shape == 'v' && instruction->width > 64) ? 2 : shape == 'r' || shape == 'v' ? 1 : 0;
}

/* The operation on each combination of values that the operands can have. */
static const char *by_table(struct terms *terms, const struct instruction *instruction,
                            const struct value operands[3][2], struct value out[3], literal *fails) {
    uint64_t values[6][SET_MOST];
    size_t counts[6] = {0};
    size_t rows = 1;
    for (int i = 0; i < 6; i++) {
        if ((unsigned)(i % 2) < operand_registers(instruction, i / 2)) {
            const uint64_t *known = set_values(terms->sets, operands[i / 2][i % 2].set, &counts[i]);
            if (!known || rows * counts[i] > MOST_ROWS) {
                return "floating point on values that are not known";
            }
            memcpy(values[i], known, counts[i] * sizeof *known);
            rows *= counts[i];
        }
    }
    for (int i = 0; i < 3; i++) {
        out[i] = value_constant(terms, 0);
    }
    bool first = true;
    for (size_t row = 0; row < rows; row++) {
        uint64_t in[3][2] = {{0}};
        uint64_t result[3] = {0};
        literal chosen = LITERAL_TRUE;
        size_t rest = row;
        for (int i = 0; i < 6; i++) {
            if (counts[i] > 0) {
                in[i / 2][i % 2] = values[i][rest % counts[i]];
                rest /= counts[i];
                chosen =
                    gates_and(terms->gates, chosen, term_equals(terms, operands[i / 2][i % 2].term, in[i / 2][i % 2]));
            }
        }
        if (chosen == LITERAL_FALSE) {
            continue;
        }
        if (!arithmetic_run(instruction, in[0], in[1], in[2], result)) {
            *fails = gates_or(terms->gates, *fails, chosen);
            continue;
        }
        for (int i = 0; i < 3; i++) {
            struct value constant = value_constant(terms, result[i]);
            out[i] = first ? constant : value_mux(terms, chosen, constant, out[i]);
        }
        first = false;
    }
    return NULL;
}

static void operate_plain(struct terms *terms, const struct instruction *instruction, const struct value operands[3][2],
                          struct value out[3], literal *fails) {
    struct gates *gates = terms->gates;
    unsigned width = instruction->width;
    literal a[CIRCUIT_BITS];
    literal b[CIRCUIT_BITS];
    literal c[CIRCUIT_BITS];
    literal result[CIRCUIT_BITS];
    term_bits(terms, operands[0][0].term, a, 64);
    term_bits(terms, operands[1][0].term, b, 64);
    term_bits(terms, operands[2][0].term, c, 64);
    unsigned count = width;
    switch (instruction->op) {
    case OP_MOV:
        out[0] = operands[0][0];
        return;
    case OP_SELECT:
        out[0] = value_mux(terms, circuit_any(gates, 64, a), operands[1][0], operands[2][0]);
        return;
    case OP_UNINIT:
        out[0] = value_constant(terms, 0);
        return;
    case OP_ICMP:
        out[0] = of_literal(terms, circuit_compare(gates, instruction->sub, width, a, b));
        return;
    case OP_SEXT:
        memcpy(result, a, width * sizeof *a);
        for (unsigned i = width; i < instruction->sub; i++) {
            result[i] = a[width - 1];
        }
        count = instruction->sub;
        break;
    case OP_TRUNC:
        memcpy(result, a, width * sizeof *a);
        break;
    case OP_BITS:
        circuit_bits(gates, instruction->sub, width, a, result);
        break;
    case OP_FSHL:
    case OP_FSHR:
        circuit_funnel(gates, instruction->op == OP_FSHL, width, a, b, c, result);
        break;
    default:
        if (is_division(instruction->op)) {
            *fails = division_fails(terms, instruction->op, width, a, b);
        }
        circuit_binary(gates, instruction->op, width, a, b, result);
        break;
    }
    set_id set = set_apply(terms->sets, instruction, operands[0][0].set,
                           operand_registers(instruction, 1) ? operands[1][0].set : 0,
                           operand_registers(instruction, 2) ? operands[2][0].set : 0);
    out[0] = with_set(terms, term_of_bits(terms, result, count), set);
}

static void operate_wide(struct terms *terms, const struct instruction *instruction, const struct value operands[3][2],
                         struct value out[3], literal *fails) {
    struct gates *gates = terms->gates;
    unsigned width = instruction->width;
    literal a[CIRCUIT_BITS];
    literal b[CIRCUIT_BITS];
    literal result[CIRCUIT_BITS];
    pair_bits(terms, operands[0], a);
    pair_bits(terms, operands[1], b);
    switch (instruction->op) {
    case OP_WIDE:
        if (is_division(instruction->sub)) {
            *fails = division_fails(terms, instruction->sub, width, a, b);
        }
        circuit_binary(gates, instruction->sub, width, a, b, result);
        give_pair(terms, result, width, out);
        break;
    case OP_WIDE_ICMP:
        out[0] = of_literal(terms, circuit_compare(gates, instruction->sub, width, a, b));
        break;
    case OP_WIDE_SEXT:
        for (unsigned i = width; i < CIRCUIT_BITS; i++) {
            a[i] = a[width - 1];
        }
        give_pair(terms, a, instruction->sub, out);
        break;
    default: /* OP_OVERFLOW, OP_WIDE_OVERFLOW */ {
        literal overflow = circuit_overflow(gates, instruction->sub, width, a, b, result);
        give_pair(terms, result, width, out);
        out[instruction->op == OP_OVERFLOW ? 1 : 2] = of_literal(terms, overflow);
        break;
    }
    }
}

const char *term_operate(struct terms *terms, const struct instruction *instruction, const struct value operands[3][2],
                         struct value out[3], literal *fails) {
    *fails = LITERAL_FALSE;
    switch (instruction->op) {
    case OP_FLOAT:
    case OP_FCMP:
    case OP_FMATH:
    case OP_FMA:
    case OP_FCONV:
    case OP_FTOSI:
    case OP_FTOUI:
    case OP_SITOF:
    case OP_UITOF:
        return by_table(terms, instruction, operands, out, fails);
    case OP_OVERFLOW:
    case OP_WIDE:
    case OP_WIDE_ICMP:
    case OP_WIDE_SEXT:
    case OP_WIDE_OVERFLOW:
        operate_wide(terms, instruction, operands, out, fails);
        return NULL;
    default:
        operate_plain(terms, instruction, operands, out, fails);
        return NULL;
    }
}

/* The set of old OP operand, if both fit a register. */
static set_id rmw_set(struct terms *terms, enum op op, unsigned width, const struct value old[2],
                      const struct value operand[2]) {
    struct instruction instruction = {.op = (uint8_t)op, .width = (uint8_t)width};
    return set_apply(terms->sets, &instruction, old[0].set, operand[0].set, 0);
}

const char *term_rmw(struct terms *terms, enum rmw_kind kind, unsigned size, const struct value old[2],
                     const struct value operand[2], struct value out[2]) {
    static const uint8_t ops[RMW_COUNT] = {
        [RMW_ADD] = OP_ADD, [RMW_SUB] = OP_SUB, [RMW_AND] = OP_AND, [RMW_OR] = OP_OR, [RMW_XOR] = OP_XOR};
    struct gates *gates = terms->gates;
    unsigned width = size * 8;
    literal a[CIRCUIT_BITS];
    literal b[CIRCUIT_BITS];
    literal result[CIRCUIT_BITS];
    pair_bits(terms, old, a);
    pair_bits(terms, operand, b);
    switch (kind) {
    case RMW_XCHG:
        out[0] = operand[0];
        out[1] = operand[1];
        return NULL;
    case RMW_NAND:
        circuit_binary(gates, OP_AND, width, a, b, result);
        for (unsigned i = 0; i < width; i++) {
            result[i] = -result[i];
        }
        break;
    case RMW_NEG: {
        literal zero[CIRCUIT_BITS];
        for (unsigned i = 0; i < CIRCUIT_BITS; i++) {
            zero[i] = LITERAL_FALSE;
        }
        circuit_binary(gates, OP_SUB, width, zero, a, result);
        break;
    }
    case RMW_SMAX:
    case RMW_SMIN:
    case RMW_UMAX:
    case RMW_UMIN: {
        bool is_signed = kind == RMW_SMAX || kind == RMW_SMIN;
        bool largest = kind == RMW_SMAX || kind == RMW_UMAX;
        literal below = circuit_compare(gates, is_signed ? PREDICATE_SLT : PREDICATE_ULT, width, a, b);
        circuit_mux(gates, width, largest ? below : -below, b, a, result);
        break;
    }
    case RMW_FADD:
    case RMW_FSUB:
    case RMW_FMAX:
    case RMW_FMIN:
        return "floating point on values that are not known";
    default:
        circuit_binary(gates, ops[kind], width, a, b, result);
        break;
    }
    give_pair(terms, result, width, out);
    if (width <= 64 && ops[kind]) {
        out[0] = with_set(terms, out[0].term, rmw_set(terms, ops[kind], width, old, operand));
    }
    return NULL;
}
