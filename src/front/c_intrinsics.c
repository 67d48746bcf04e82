/* LLVM's intrinsic functions: one table from names to instructions. */
#include <stdlib.h>
#include <string.h>

#include "front/c_lowering.h"
#include "front/c_map.h"

struct intrinsic {
    const char *name; /* without the types at its end */
    void (*lower)(struct lowering *lowering, LLVMValueRef call, int code);
    int code;
};

static uint32_t argument(struct lowering *lowering, LLVMValueRef call, unsigned i) {
    return lowering_value(lowering, LLVMGetArgOperand(call, i));
}

static void lower_nothing(struct lowering *lowering, LLVMValueRef call, int code) {
    (void)lowering;
    (void)call;
    (void)code;
}

static void lower_first(struct lowering *lowering, LLVMValueRef call, int code) {
    (void)code;
    lowering_alias(lowering, call, argument(lowering, call, 0));
}

static void lower_constant(struct lowering *lowering, LLVMValueRef call, int code) {
    lowering_alias(lowering, call, lowering_constant(lowering, (uint64_t)code));
}

static void lower_is_constant(struct lowering *lowering, LLVMValueRef call, int code) {
    (void)code;
    LLVMValueRef value = LLVMGetArgOperand(call, 0);
    lowering_alias(lowering, call, lowering_constant(lowering, LLVMIsAConstant(value) && !LLVMIsAGlobalValue(value)));
}

static void lower_object_size(struct lowering *lowering, LLVMValueRef call, int code) {
    (void)code;
    bool smallest = LLVMConstIntGetZExtValue(LLVMGetArgOperand(call, 1)) != 0;
    uint32_t width = type_width(LLVMTypeOf(call));
    lowering_alias(lowering, call, lowering_constant(lowering, smallest ? 0 : width < 64 ? UINT32_MAX : UINT64_MAX));
}

static void lower_trap(struct lowering *lowering, LLVMValueRef call, int code) {
    (void)call;
    (void)code;
    lowering_error(lowering, ERROR_ABORT, "trap");
}

static void lower_cycles(struct lowering *lowering, LLVMValueRef call, int code) {
    (void)code;
    uint32_t dst = lowering_result(lowering, call);
    lowering_emit(lowering, (struct instruction){.op = OP_NONDET,
                                                 .width = 64,
                                                 .dst = dst,
                                                 .a = lowering_constant(lowering, 0),
                                                 .b = lowering_constant(lowering, UINT64_MAX)});
}

static void lower_pause(struct lowering *lowering, LLVMValueRef call, int code) {
    (void)call;
    lowering_emit(lowering, (struct instruction){.op = OP_NOP, .sub = (uint8_t)code});
}

static void lower_fence(struct lowering *lowering, LLVMValueRef call, int code) {
    (void)call;
    lowering_emit(lowering, (struct instruction){.op = OP_FENCE, .sub = (uint8_t)code});
}

static void lower_store_barrier(struct lowering *lowering, LLVMValueRef call, int code) {
    (void)call;
    (void)code;
    lowering_emit(lowering, (struct instruction){.op = OP_STORE_BARRIER});
}

static void lower_stack_save(struct lowering *lowering, LLVMValueRef call, int code) {
    (void)code;
    lowering_emit(lowering, (struct instruction){.op = OP_STACK_SAVE, .dst = lowering_result(lowering, call)});
}

static void lower_stack_restore(struct lowering *lowering, LLVMValueRef call, int code) {
    (void)code;
    lowering_emit(lowering, (struct instruction){.op = OP_STACK_RESTORE, .a = argument(lowering, call, 0)});
}

static void store_number(struct lowering *lowering, uint32_t address, uint64_t offset, uint32_t bytes, uint32_t value) {
    lowering_emit(lowering, (struct instruction){.op = OP_STORE,
                                                 .width = (uint8_t)bytes,
                                                 .a = lowering_add(lowering, address, offset),
                                                 .b = value});
}

/* A va_list whose registers are used up, so that clang's own code reads everything from the block. */
static void lower_va_start(struct lowering *lowering, LLVMValueRef call, int code) {
    (void)code;
    uint32_t list = argument(lowering, call, 0);
    store_number(lowering, list, 0, 4, lowering_constant(lowering, 48));
    store_number(lowering, list, 4, 4, lowering_constant(lowering, 176));
    store_number(lowering, list, 8, 8, lowering->hidden);
    store_number(lowering, list, 16, 8, lowering_constant(lowering, 0));
}

static void lower_va_copy(struct lowering *lowering, LLVMValueRef call, int code) {
    (void)code;
    uint32_t to = argument(lowering, call, 0);
    uint32_t from = argument(lowering, call, 1);
    for (uint64_t offset = 0; offset < 24; offset += 8) {
        uint32_t value = lowering_registers(lowering, 1);
        lowering_emit(
            lowering,
            (struct instruction){.op = OP_LOAD, .width = 8, .dst = value, .a = lowering_add(lowering, from, offset)});
        store_number(lowering, to, offset, 8, value);
    }
}

/* Calls `lane` for every lane of the result, with the operands of that lane. */
struct lane {
    uint32_t width;
    uint32_t dst;
    uint32_t operands[3];
};

static void each_lane(struct lowering *lowering, LLVMValueRef call, int code,
                      void (*emit)(struct lowering *lowering, const struct lane *lane, int code)) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetArgOperand(call, 0));
    uint32_t dst = lowering_result(lowering, call);
    uint32_t result_step = type_registers(type_scalar(LLVMTypeOf(call)));
    uint32_t first[3] = {0};
    uint32_t steps[3] = {0};
    unsigned count = LLVMGetNumArgOperands(call) < 3 ? LLVMGetNumArgOperands(call) : 3;
    for (unsigned i = 0; i < count; i++) {
        LLVMTypeRef of = LLVMTypeOf(LLVMGetArgOperand(call, i));
        first[i] = argument(lowering, call, i);
        steps[i] = LLVMGetTypeKind(of) == LLVMVectorTypeKind ? type_registers(LLVMGetElementType(of)) : 0;
    }
    for (uint32_t k = 0; k < type_lanes(type); k++) {
        struct lane lane = {.width = type_width(type), .dst = dst + k * result_step};
        for (unsigned i = 0; i < 3; i++) {
            lane.operands[i] = first[i] + k * steps[i];
        }
        emit(lowering, &lane, code);
    }
}

static void emit_math(struct lowering *lowering, const struct lane *lane, int code) {
    static const uint8_t arguments[MATH_COUNT] = {
#define X(name, function, count) [MATH_##name] = count,
        MATH_KINDS(X)
#undef X
    };
    lowering_emit(lowering, (struct instruction){.op = OP_FMATH,
                                                 .width = (uint8_t)lane->width,
                                                 .sub = (uint8_t)code,
                                                 .dst = lane->dst,
                                                 .a = lane->operands[0],
                                                 .b = lane->operands[arguments[code] - 1]});
}

static void lower_math(struct lowering *lowering, LLVMValueRef call, int code) {
    each_lane(lowering, call, code, emit_math);
}

static void emit_fma(struct lowering *lowering, const struct lane *lane, int code) {
    if (code == OP_FMA) {
        lowering_emit(lowering, (struct instruction){.op = OP_FMA,
                                                     .width = (uint8_t)lane->width,
                                                     .dst = lane->dst,
                                                     .a = lane->operands[0],
                                                     .b = lane->operands[1],
                                                     .c = lane->operands[2]});
        return;
    }
    uint32_t product = lowering_registers(lowering, lane->width > 64 ? 2 : 1);
    lowering_emit(lowering, (struct instruction){.op = OP_FLOAT,
                                                 .width = (uint8_t)lane->width,
                                                 .sub = FLOAT_MUL,
                                                 .dst = product,
                                                 .a = lane->operands[0],
                                                 .b = lane->operands[1]});
    lowering_emit(lowering, (struct instruction){.op = OP_FLOAT,
                                                 .width = (uint8_t)lane->width,
                                                 .sub = FLOAT_ADD,
                                                 .dst = lane->dst,
                                                 .a = product,
                                                 .b = lane->operands[2]});
}

static void lower_fma(struct lowering *lowering, LLVMValueRef call, int code) {
    each_lane(lowering, call, code, emit_fma);
}

static void emit_power_of_integer(struct lowering *lowering, const struct lane *lane, int code) {
    uint32_t exponent = lowering_registers(lowering, lane->width > 64 ? 2 : 1);
    lowering_emit(
        lowering,
        (struct instruction){
            .op = OP_SITOF, .width = 32, .sub = (uint8_t)lane->width, .dst = exponent, .a = lane->operands[1]});
    struct lane power = *lane;
    power.operands[1] = exponent;
    emit_math(lowering, &power, code);
}

static void lower_power_of_integer(struct lowering *lowering, LLVMValueRef call, int code) {
    each_lane(lowering, call, code, emit_power_of_integer);
}

/* lround and similar functions: rounded as a number, then converted. */
static void lower_round_to_integer(struct lowering *lowering, LLVMValueRef call, int code) {
    uint32_t width = type_width(LLVMTypeOf(LLVMGetArgOperand(call, 0)));
    uint32_t value = argument(lowering, call, 0);
    uint32_t rounded = lowering_registers(lowering, width > 64 ? 2 : 1);
    lowering_emit(
        lowering,
        (struct instruction){
            .op = OP_FMATH, .width = (uint8_t)width, .sub = (uint8_t)code, .dst = rounded, .a = value, .b = value});
    lowering_emit(lowering, (struct instruction){.op = OP_FTOSI,
                                                 .width = (uint8_t)width,
                                                 .sub = (uint8_t)type_width(LLVMTypeOf(call)),
                                                 .dst = lowering_result(lowering, call),
                                                 .a = rounded});
}

/* Bit operations on integers of more than 64 bits, from their halves. */
static void emit_wide_bits(struct lowering *lowering, const struct lane *lane, int code) {
    uint32_t low = lane->operands[0];
    uint32_t high = low + 1;
    uint32_t high_width = lane->width - 64;
    uint32_t low_bits = lowering_unary(lowering, OP_BITS, 64, (uint32_t)code, low);
    uint32_t high_bits = lowering_unary(lowering, OP_BITS, high_width, (uint32_t)code, high);
    uint32_t zero = lowering_constant(lowering, 0);
    switch (code) {
    case BITS_POPULATION:
        lowering_move(lowering, lane->dst, lowering_binary(lowering, OP_ADD, 64, low_bits, high_bits));
        lowering_move(lowering, lane->dst + 1, zero);
        break;
    case BITS_LEADING_ZEROS: {
        uint32_t empty = lowering_compare(lowering, PREDICATE_EQ, 64, high, zero);
        uint32_t more = lowering_binary(lowering, OP_ADD, 64, low_bits, lowering_constant(lowering, high_width));
        lowering_move(lowering, lane->dst, lowering_select(lowering, empty, more, high_bits));
        lowering_move(lowering, lane->dst + 1, zero);
        break;
    }
    case BITS_TRAILING_ZEROS: {
        uint32_t empty = lowering_compare(lowering, PREDICATE_EQ, 64, low, zero);
        uint32_t more = lowering_binary(lowering, OP_ADD, 64, high_bits, lowering_constant(lowering, 64));
        lowering_move(lowering, lane->dst, lowering_select(lowering, empty, more, low_bits));
        lowering_move(lowering, lane->dst + 1, zero);
        break;
    }
    default:
        if (lane->width != 128) {
            lowering_unsupported(lowering, "reversing an integer of this width", NULL);
        }
        lowering_move(lowering, lane->dst, high_bits);
        lowering_move(lowering, lane->dst + 1, low_bits);
    }
}

static void emit_wide_absolute(struct lowering *lowering, const struct lane *lane) {
    uint32_t negated = lowering_registers(lowering, 2);
    uint32_t negative = lowering_registers(lowering, 1);
    uint32_t zero = builder_constant_pair(lowering->builder, 0, 0);
    lowering_emit(lowering, (struct instruction){.op = OP_WIDE,
                                                 .width = (uint8_t)lane->width,
                                                 .sub = OP_SUB,
                                                 .dst = negated,
                                                 .a = zero,
                                                 .b = lane->operands[0]});
    lowering_emit(lowering, (struct instruction){.op = OP_WIDE_ICMP,
                                                 .width = (uint8_t)lane->width,
                                                 .sub = PREDICATE_SLT,
                                                 .dst = negative,
                                                 .a = lane->operands[0],
                                                 .b = zero});
    for (uint32_t i = 0; i < 2; i++) {
        lowering_move(lowering, lane->dst + i, lowering_select(lowering, negative, negated + i, lane->operands[0] + i));
    }
}

static void emit_bits(struct lowering *lowering, const struct lane *lane, int code) {
    if (lane->width <= 64) {
        lowering_emit(lowering, (struct instruction){.op = OP_BITS,
                                                     .width = (uint8_t)lane->width,
                                                     .sub = (uint8_t)code,
                                                     .dst = lane->dst,
                                                     .a = lane->operands[0]});
    } else if (code == BITS_ABSOLUTE) {
        emit_wide_absolute(lowering, lane);
    } else {
        emit_wide_bits(lowering, lane, code);
    }
}

static void lower_bits(struct lowering *lowering, LLVMValueRef call, int code) {
    each_lane(lowering, call, code, emit_bits);
}

static void emit_funnel(struct lowering *lowering, const struct lane *lane, int code) {
    if (lane->width > 64) {
        lowering_unsupported(lowering, "rotating an integer of this width", NULL);
        return;
    }
    lowering_emit(lowering, (struct instruction){.op = (uint8_t)code,
                                                 .width = (uint8_t)lane->width,
                                                 .dst = lane->dst,
                                                 .a = lane->operands[0],
                                                 .b = lane->operands[1],
                                                 .c = lane->operands[2]});
}

static void lower_funnel(struct lowering *lowering, LLVMValueRef call, int code) {
    each_lane(lowering, call, code, emit_funnel);
}

static void emit_choice(struct lowering *lowering, const struct lane *lane, int code) {
    bool wide = lane->width > 64;
    uint32_t first = lowering_registers(lowering, 1);
    lowering_emit(lowering, (struct instruction){.op = wide ? OP_WIDE_ICMP : OP_ICMP,
                                                 .width = (uint8_t)lane->width,
                                                 .sub = (uint8_t)code,
                                                 .dst = first,
                                                 .a = lane->operands[0],
                                                 .b = lane->operands[1]});
    for (uint32_t i = 0; i < (wide ? 2 : 1); i++) {
        lowering_emit(lowering, (struct instruction){.op = OP_SELECT,
                                                     .width = 64,
                                                     .dst = lane->dst + i,
                                                     .a = first,
                                                     .b = lane->operands[0] + i,
                                                     .c = lane->operands[1] + i});
    }
}

static void lower_choice(struct lowering *lowering, LLVMValueRef call, int code) {
    each_lane(lowering, call, code, emit_choice);
}

static void lower_overflow(struct lowering *lowering, LLVMValueRef call, int code) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetArgOperand(call, 0));
    if (type_lanes(type) != 1) {
        lowering_unsupported(lowering, "overflow checks on vectors", NULL);
        return;
    }
    uint32_t a = argument(lowering, call, 0);
    uint32_t b = argument(lowering, call, 1);
    lowering_emit(lowering, (struct instruction){.op = type_width(type) > 64 ? OP_WIDE_OVERFLOW : OP_OVERFLOW,
                                                 .width = (uint8_t)type_width(type),
                                                 .sub = (uint8_t)code,
                                                 .dst = lowering_result(lowering, call),
                                                 .a = a,
                                                 .b = b});
}

static void emit_saturating(struct lowering *lowering, const struct lane *lane, int code) {
    if (lane->width > 64) {
        lowering_unsupported(lowering, "saturating arithmetic of this width", NULL);
        return;
    }
    uint64_t ones = lane->width == 64 ? UINT64_MAX : (UINT64_C(1) << lane->width) - 1;
    uint32_t result = lowering_registers(lowering, 2);
    lowering_emit(lowering, (struct instruction){.op = OP_OVERFLOW,
                                                 .width = (uint8_t)lane->width,
                                                 .sub = (uint8_t)code,
                                                 .dst = result,
                                                 .a = lane->operands[0],
                                                 .b = lane->operands[1]});
    uint32_t limit = 0;
    if (code == OVERFLOW_UADD) {
        limit = lowering_constant(lowering, ones);
    } else if (code == OVERFLOW_USUB) {
        limit = lowering_constant(lowering, 0);
    } else {
        /* Signed overflow saturates in the direction of the first operand's sign. */
        uint32_t negative =
            lowering_compare(lowering, PREDICATE_SLT, lane->width, lane->operands[0], lowering_constant(lowering, 0));
        limit = lowering_select(lowering, negative, lowering_constant(lowering, ones ^ (ones >> 1)),
                                lowering_constant(lowering, ones >> 1));
    }
    lowering_move(lowering, lane->dst, lowering_select(lowering, result + 1, limit, result));
}

static void lower_saturating(struct lowering *lowering, LLVMValueRef call, int code) {
    each_lane(lowering, call, code, emit_saturating);
}

static void lower_reduce(struct lowering *lowering, LLVMValueRef call, int code) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetArgOperand(call, 0));
    uint32_t first = argument(lowering, call, 0);
    uint32_t sum = first;
    if (type_width(type) > 64) {
        lowering_unsupported(lowering, "reducing vectors of such elements", NULL);
        return;
    }
    for (uint32_t lane = 1; lane < type_lanes(type); lane++) {
        sum = lowering_binary(lowering, (enum op)code, type_width(type), sum, first + lane);
    }
    lowering_alias(lowering, call, sum);
}

static void lower_pointer_mask(struct lowering *lowering, LLVMValueRef call, int code) {
    (void)code;
    uint32_t pointer = argument(lowering, call, 0);
    lowering_alias(lowering, call, lowering_binary(lowering, OP_AND, 64, pointer, argument(lowering, call, 1)));
}

/* An address stored as its distance from the table that contains it. */
static void lower_load_relative(struct lowering *lowering, LLVMValueRef call, int code) {
    (void)code;
    uint32_t table = argument(lowering, call, 0);
    uint32_t location = lowering_binary(lowering, OP_ADD, 64, table, argument(lowering, call, 1));
    uint32_t distance = lowering_registers(lowering, 1);
    lowering_emit(lowering, (struct instruction){.op = OP_LOAD, .width = 4, .dst = distance, .a = location});
    distance = lowering_unary(lowering, OP_SEXT, 32, 64, distance);
    lowering_alias(lowering, call, lowering_binary(lowering, OP_ADD, 64, table, distance));
}

/* llvm.is.fpclass: is a number in one of the classes of a mask?  Each class is one comparison of its bits. */
struct number_bits {
    struct lowering *lowering;
    uint32_t sign;      /* 0 or 1 */
    uint32_t magnitude; /* exponent and mantissa; of an x87 number the exponent alone */
    uint32_t mantissa;  /* of an x87 number */
    uint32_t width;
};

static struct number_bits number_bits(struct lowering *lowering, uint32_t value, uint32_t width) {
    struct number_bits bits = {.lowering = lowering, .width = width, .mantissa = value};
    uint32_t top = width == 80 ? value + 1 : value;
    uint32_t top_width = width == 80 ? 16 : width;
    uint64_t rest = (UINT64_C(1) << (top_width - 1)) - 1;
    bits.sign = lowering_binary(lowering, OP_LSHR, 64, top, lowering_constant(lowering, top_width - 1));
    bits.magnitude = lowering_binary(lowering, OP_AND, 64, top, lowering_constant(lowering, rest));
    return bits;
}

static uint32_t in_range(const struct number_bits *bits, uint32_t value, uint64_t low, uint64_t high) {
    struct lowering *lowering = bits->lowering;
    uint32_t above = lowering_compare(lowering, PREDICATE_UGE, 64, value, lowering_constant(lowering, low));
    uint32_t below = lowering_compare(lowering, PREDICATE_ULE, 64, value, lowering_constant(lowering, high));
    return lowering_binary(lowering, OP_AND, 1, above, below);
}

enum number_class { CLASS_SIGNALLING, CLASS_QUIET, CLASS_INFINITE, CLASS_NORMAL, CLASS_SUBNORMAL, CLASS_ZERO };

static uint32_t in_class(const struct number_bits *bits, enum number_class class) {
    if (bits->width == 80) {
        static const struct {
            uint64_t exponents[2];
            uint64_t mantissas[2];
        } ranges[] = {
            [CLASS_SIGNALLING] = {{0x7fff, 0x7fff}, {UINT64_C(0x8000000000000001), UINT64_C(0xbfffffffffffffff)}},
            [CLASS_QUIET] = {{0x7fff, 0x7fff}, {UINT64_C(0xc000000000000000), UINT64_MAX}},
            [CLASS_INFINITE] = {{0x7fff, 0x7fff}, {UINT64_C(0x8000000000000000), UINT64_C(0x8000000000000000)}},
            [CLASS_NORMAL] = {{1, 0x7ffe}, {0, UINT64_MAX}},
            [CLASS_SUBNORMAL] = {{0, 0}, {1, UINT64_MAX}},
            [CLASS_ZERO] = {{0, 0}, {0, 0}}};
        uint32_t exponent = in_range(bits, bits->magnitude, ranges[class].exponents[0], ranges[class].exponents[1]);
        uint32_t mantissa = in_range(bits, bits->mantissa, ranges[class].mantissas[0], ranges[class].mantissas[1]);
        return lowering_binary(bits->lowering, OP_AND, 1, exponent, mantissa);
    }
    unsigned fraction = bits->width == 32 ? 23 : 52;
    uint64_t normal = UINT64_C(1) << fraction;
    uint64_t infinite = ((UINT64_C(1) << (bits->width - 1)) - 1) & ~(normal - 1);
    uint64_t quiet = infinite | normal >> 1;
    switch (class) {
    case CLASS_SIGNALLING:
        return in_range(bits, bits->magnitude, infinite + 1, quiet - 1);
    case CLASS_QUIET:
        return in_range(bits, bits->magnitude, quiet, UINT64_MAX);
    case CLASS_INFINITE:
        return in_range(bits, bits->magnitude, infinite, infinite);
    case CLASS_NORMAL:
        return in_range(bits, bits->magnitude, normal, infinite - 1);
    case CLASS_SUBNORMAL:
        return in_range(bits, bits->magnitude, 1, normal - 1);
    default:
        return in_range(bits, bits->magnitude, 0, 0);
    }
}

static void lower_number_class(struct lowering *lowering, LLVMValueRef call, int code) {
    (void)code;
    /* Which bit of the mask is which class, for negative (1), positive (2) or both signs (3). */
    static const struct {
        uint8_t class;
        uint8_t signs;
    } classes[] = {{CLASS_SIGNALLING, 3}, {CLASS_QUIET, 3},   {CLASS_INFINITE, 1}, {CLASS_NORMAL, 1},
                   {CLASS_SUBNORMAL, 1},  {CLASS_ZERO, 1},    {CLASS_ZERO, 2},     {CLASS_SUBNORMAL, 2},
                   {CLASS_NORMAL, 2},     {CLASS_INFINITE, 2}};
    LLVMTypeRef type = LLVMTypeOf(LLVMGetArgOperand(call, 0));
    if (type_lanes(type) != 1) {
        lowering_unsupported(lowering, "classes of vectors", NULL);
        return;
    }
    uint64_t mask = LLVMConstIntGetZExtValue(LLVMGetArgOperand(call, 1));
    struct number_bits bits = number_bits(lowering, argument(lowering, call, 0), type_width(type));
    uint32_t result = lowering_constant(lowering, 0);
    for (unsigned i = 0; i < sizeof classes / sizeof *classes; i++) {
        if (!(mask >> i & 1)) {
            continue;
        }
        uint32_t inside = in_class(&bits, (enum number_class)classes[i].class);
        if (classes[i].signs != 3) {
            uint32_t wanted = lowering_constant(lowering, classes[i].signs == 1);
            inside = lowering_binary(lowering, OP_AND, 1, inside,
                                     lowering_compare(lowering, PREDICATE_EQ, 64, bits.sign, wanted));
        }
        result = lowering_binary(lowering, OP_OR, 1, result, inside);
    }
    lowering_alias(lowering, call, result);
}

static const struct intrinsic intrinsics[] = {
    {"llvm.dbg", lower_nothing, 0},
    {"llvm.lifetime", lower_nothing, 0},
    {"llvm.invariant", lower_nothing, 0},
    {"llvm.assume", lower_nothing, 0},
    {"llvm.prefetch", lower_nothing, 0},
    {"llvm.donothing", lower_nothing, 0},
    {"llvm.sideeffect", lower_nothing, 0},
    {"llvm.var.annotation", lower_nothing, 0},
    {"llvm.experimental.noalias.scope.decl", lower_nothing, 0},
    {"llvm.clear_cache", lower_nothing, 0},
    {"llvm.va_end", lower_nothing, 0},
    {"llvm.x86.sse2.clflush", lower_nothing, 0},
    {"llvm.expect", lower_first, 0},
    {"llvm.ptr.annotation", lower_first, 0},
    {"llvm.annotation", lower_first, 0},
    {"llvm.launder.invariant.group", lower_first, 0},
    {"llvm.strip.invariant.group", lower_first, 0},
    {"llvm.ssa.copy", lower_first, 0},
    {"llvm.arithmetic.fence", lower_first, 0},
    {"llvm.threadlocal.address", lower_first, 0}, /* c_lowering.c computes it for every use */
    {"llvm.ptrmask", lower_pointer_mask, 0},
    {"llvm.load.relative", lower_load_relative, 0},
    {"llvm.is.constant", lower_is_constant, 0},
    {"llvm.objectsize", lower_object_size, 0},
    {"llvm.returnaddress", lower_constant, 0},
    {"llvm.frameaddress", lower_constant, 0},
    {"llvm.addressofreturnaddress", lower_constant, 0},
    {"llvm.get.rounding", lower_constant, 1},
    {"llvm.trap", lower_trap, 0},
    {"llvm.debugtrap", lower_trap, 0},
    {"llvm.ubsantrap", lower_trap, 0},
    {"llvm.readcyclecounter", lower_cycles, 0},
    {"llvm.readsteadycounter", lower_cycles, 0},
    {"llvm.x86.rdtsc", lower_cycles, 0},
    {"llvm.x86.sse2.pause", lower_pause, YIELD_PAUSE},
    {"llvm.x86.sse2.mfence", lower_fence, ORDER_SEQ_CST},
    {"llvm.x86.sse2.lfence", lower_fence, ORDER_ACQUIRE},
    {"llvm.x86.sse.sfence", lower_store_barrier, 0},
    {"llvm.stacksave", lower_stack_save, 0},
    {"llvm.stackrestore", lower_stack_restore, 0},
    {"llvm.va_start", lower_va_start, 0},
    {"llvm.va_copy", lower_va_copy, 0},
    {"llvm.sqrt", lower_math, MATH_SQRT},
    {"llvm.fabs", lower_math, MATH_FABS},
    {"llvm.floor", lower_math, MATH_FLOOR},
    {"llvm.ceil", lower_math, MATH_CEIL},
    {"llvm.trunc", lower_math, MATH_TRUNC},
    {"llvm.rint", lower_math, MATH_RINT},
    {"llvm.nearbyint", lower_math, MATH_NEARBYINT},
    {"llvm.round", lower_math, MATH_ROUND},
    {"llvm.roundeven", lower_math, MATH_RINT},
    {"llvm.sin", lower_math, MATH_SIN},
    {"llvm.cos", lower_math, MATH_COS},
    {"llvm.tan", lower_math, MATH_TAN},
    {"llvm.exp", lower_math, MATH_EXP},
    {"llvm.exp2", lower_math, MATH_EXP2},
    {"llvm.log", lower_math, MATH_LOG},
    {"llvm.log2", lower_math, MATH_LOG2},
    {"llvm.log10", lower_math, MATH_LOG10},
    {"llvm.pow", lower_math, MATH_POW},
    {"llvm.copysign", lower_math, MATH_COPYSIGN},
    {"llvm.minnum", lower_math, MATH_FMIN},
    {"llvm.maxnum", lower_math, MATH_FMAX},
    {"llvm.powi", lower_power_of_integer, MATH_POW},
    {"llvm.fma", lower_fma, OP_FMA},
    {"llvm.fmuladd", lower_fma, OP_FLOAT},
    {"llvm.lround", lower_round_to_integer, MATH_ROUND},
    {"llvm.llround", lower_round_to_integer, MATH_ROUND},
    {"llvm.lrint", lower_round_to_integer, MATH_RINT},
    {"llvm.llrint", lower_round_to_integer, MATH_RINT},
    {"llvm.is.fpclass", lower_number_class, 0},
    {"llvm.ctpop", lower_bits, BITS_POPULATION},
    {"llvm.ctlz", lower_bits, BITS_LEADING_ZEROS},
    {"llvm.cttz", lower_bits, BITS_TRAILING_ZEROS},
    {"llvm.bswap", lower_bits, BITS_BYTE_SWAP},
    {"llvm.bitreverse", lower_bits, BITS_REVERSE},
    {"llvm.abs", lower_bits, BITS_ABSOLUTE},
    {"llvm.fshl", lower_funnel, OP_FSHL},
    {"llvm.fshr", lower_funnel, OP_FSHR},
    {"llvm.smax", lower_choice, PREDICATE_SGT},
    {"llvm.smin", lower_choice, PREDICATE_SLT},
    {"llvm.umax", lower_choice, PREDICATE_UGT},
    {"llvm.umin", lower_choice, PREDICATE_ULT},
    {"llvm.sadd.with.overflow", lower_overflow, OVERFLOW_SADD},
    {"llvm.uadd.with.overflow", lower_overflow, OVERFLOW_UADD},
    {"llvm.ssub.with.overflow", lower_overflow, OVERFLOW_SSUB},
    {"llvm.usub.with.overflow", lower_overflow, OVERFLOW_USUB},
    {"llvm.smul.with.overflow", lower_overflow, OVERFLOW_SMUL},
    {"llvm.umul.with.overflow", lower_overflow, OVERFLOW_UMUL},
    {"llvm.sadd.sat", lower_saturating, OVERFLOW_SADD},
    {"llvm.uadd.sat", lower_saturating, OVERFLOW_UADD},
    {"llvm.ssub.sat", lower_saturating, OVERFLOW_SSUB},
    {"llvm.usub.sat", lower_saturating, OVERFLOW_USUB},
    {"llvm.vector.reduce.add", lower_reduce, OP_ADD},
    {"llvm.vector.reduce.mul", lower_reduce, OP_MUL},
    {"llvm.vector.reduce.and", lower_reduce, OP_AND},
    {"llvm.vector.reduce.or", lower_reduce, OP_OR},
    {"llvm.vector.reduce.xor", lower_reduce, OP_XOR},
};

void lowering_intrinsic(struct lowering *lowering, LLVMValueRef call, const char *name) {
    for (size_t i = 0; i < sizeof intrinsics / sizeof *intrinsics; i++) {
        size_t length = strlen(intrinsics[i].name);
        if (strncmp(name, intrinsics[i].name, length) == 0 && (name[length] == 0 || name[length] == '.')) {
            intrinsics[i].lower(lowering, call, intrinsics[i].code);
            return;
        }
    }
    lowering_unsupported(lowering, "the intrinsic function", name);
}
