/* Integer arithmetic on known numbers. */
#include "seq/print/value.h"

static uint64_t cut(uint64_t number, unsigned width) {
    return width >= 64 ? number : number & ((UINT64_C(1) << width) - 1);
}

static int64_t extended(uint64_t number, unsigned width) {
    return width >= 64 ? (int64_t)number : (int64_t)(number << (64 - width)) >> (64 - width);
}

static uint64_t shift_count(uint64_t count, unsigned width) {
    unsigned modulus = 1;
    while (modulus < width) {
        modulus *= 2;
    }
    return count % modulus;
}

static bool compare(unsigned predicate, uint64_t a, uint64_t b, unsigned width) {
    int64_t first = extended(a, width);
    int64_t second = extended(b, width);
    switch (predicate) {
    case PREDICATE_EQ:
        return a == b;
    case PREDICATE_NE:
        return a != b;
    case PREDICATE_ULT:
        return a < b;
    case PREDICATE_ULE:
        return a <= b;
    case PREDICATE_UGT:
        return a > b;
    case PREDICATE_UGE:
        return a >= b;
    case PREDICATE_SLT:
        return first < second;
    case PREDICATE_SLE:
        return first <= second;
    case PREDICATE_SGT:
        return first > second;
    default:
        return first >= second;
    }
}

/* Division by zero, and of the least number by -1, is an error: then nothing is known. */
static struct value divide(unsigned op, uint64_t a, uint64_t b, unsigned width) {
    int64_t first = extended(a, width);
    int64_t second = extended(b, width);
    bool is_signed = op == OP_SDIV || op == OP_SREM;
    if (second == 0 || (is_signed && second == -1)) {
        return (struct value){0};
    }
    switch (op) {
    case OP_UDIV:
        return value_known(a / b);
    case OP_UREM:
        return value_known(a % b);
    case OP_SDIV:
        return value_known(cut((uint64_t)(first / second), width));
    default:
        return value_known(cut((uint64_t)(first % second), width));
    }
}

static struct value compute_binary(const struct instruction *instruction, uint64_t a, uint64_t b) {
    unsigned width = instruction->width;
    uint64_t count = shift_count(b, width);
    switch (instruction->op) {
    case OP_ADD:
        return value_known(cut(a + b, width));
    case OP_SUB:
        return value_known(cut(a - b, width));
    case OP_MUL:
        return value_known(cut(a * b, width));
    case OP_AND:
        return value_known(a & b);
    case OP_OR:
        return value_known(a | b);
    case OP_XOR:
        return value_known(a ^ b);
    case OP_UDIV:
    case OP_UREM:
    case OP_SDIV:
    case OP_SREM:
        return divide(instruction->op, a, b, width);
    case OP_ICMP:
        return value_known(compare(instruction->sub, a, b, width));
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR:
        if (count >= width) {
            return (struct value){0};
        }
        return value_known(instruction->op == OP_SHL    ? cut(a << count, width)
                           : instruction->op == OP_LSHR ? a >> count
                                                        : cut((uint64_t)(extended(a, width) >> count), width));
    default:
        return (struct value){0};
    }
}

struct value value_compute(const struct instruction *instruction, struct value a, struct value b, struct value c) {
    switch (instruction->op) {
    case OP_MOV:
        return a;
    case OP_TRUNC:
        return a.known ? value_known(cut(a.number, instruction->width)) : a;
    case OP_SEXT:
        return a.known ? value_known(cut((uint64_t)extended(a.number, instruction->width), instruction->sub)) : a;
    case OP_SELECT:
        return a.known ? (a.number ? b : c) : value_merge(b, c);
    case OP_UNINIT:
        return value_known(0);
    default:
        return a.known && b.known ? compute_binary(instruction, a.number, b.number) : (struct value){0};
    }
}
