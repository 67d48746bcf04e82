/* Arithmetic, comparisons and conversions, for each lane of a vector. */
#include <stdlib.h>

#include "front/c_lowering.h"
#include "util/memory.h"

/* An integer or floating-point operation of LLVM's and ours. */
struct operation {
    LLVMOpcode opcode;
    uint8_t op;
    uint8_t sub;
};

static const struct operation binary_operations[] = {
    {LLVMAdd, OP_ADD, 0},
    {LLVMSub, OP_SUB, 0},
    {LLVMMul, OP_MUL, 0},
    {LLVMUDiv, OP_UDIV, 0},
    {LLVMSDiv, OP_SDIV, 0},
    {LLVMURem, OP_UREM, 0},
    {LLVMSRem, OP_SREM, 0},
    {LLVMAnd, OP_AND, 0},
    {LLVMOr, OP_OR, 0},
    {LLVMXor, OP_XOR, 0},
    {LLVMShl, OP_SHL, 0},
    {LLVMLShr, OP_LSHR, 0},
    {LLVMAShr, OP_ASHR, 0},
    {LLVMFAdd, OP_FLOAT, FLOAT_ADD},
    {LLVMFSub, OP_FLOAT, FLOAT_SUB},
    {LLVMFMul, OP_FLOAT, FLOAT_MUL},
    {LLVMFDiv, OP_FLOAT, FLOAT_DIV},
    {LLVMFRem, OP_FLOAT, FLOAT_REM},
};

static const uint8_t predicates[] = {
    [0] = PREDICATE_EQ, /* LLVM's list begins with this one */
    [LLVMIntNE - LLVMIntEQ] = PREDICATE_NE,
    [LLVMIntUGT - LLVMIntEQ] = PREDICATE_UGT,
    [LLVMIntUGE - LLVMIntEQ] = PREDICATE_UGE,
    [LLVMIntULT - LLVMIntEQ] = PREDICATE_ULT,
    [LLVMIntULE - LLVMIntEQ] = PREDICATE_ULE,
    [LLVMIntSGT - LLVMIntEQ] = PREDICATE_SGT,
    [LLVMIntSGE - LLVMIntEQ] = PREDICATE_SGE,
    [LLVMIntSLT - LLVMIntEQ] = PREDICATE_SLT,
    [LLVMIntSLE - LLVMIntEQ] = PREDICATE_SLE,
};

static void lowering_operation(struct lowering *lowering, LLVMValueRef instruction, const struct operation *operation) {
    LLVMTypeRef type = LLVMTypeOf(instruction);
    uint32_t width = type_width(type);
    uint32_t step = width > 64 ? 2 : 1;
    uint32_t a = lowering_value(lowering, LLVMGetOperand(instruction, 0));
    uint32_t b = lowering_value(lowering, LLVMGetOperand(instruction, 1));
    uint32_t dst = lowering_result(lowering, instruction);
    bool wide = width > 64 && operation->op != OP_FLOAT;
    for (uint32_t lane = 0; lane < type_lanes(type); lane++) {
        lowering_emit(lowering, (struct instruction){.op = wide ? OP_WIDE : operation->op,
                                                     .width = (uint8_t)width,
                                                     .sub = wide ? operation->op : operation->sub,
                                                     .dst = dst + lane * step,
                                                     .a = a + lane * step,
                                                     .b = b + lane * step});
    }
}

static void lowering_comparison(struct lowering *lowering, LLVMValueRef instruction, bool real) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(instruction, 0));
    uint32_t width = type_width(type);
    uint32_t step = width > 64 ? 2 : 1;
    uint32_t a = lowering_value(lowering, LLVMGetOperand(instruction, 0));
    uint32_t b = lowering_value(lowering, LLVMGetOperand(instruction, 1));
    uint32_t dst = lowering_result(lowering, instruction);
    /* LLVM numbers the floating-point predicates like Picket: by the outcomes for which they hold. */
    uint8_t predicate =
        real ? (uint8_t)LLVMGetFCmpPredicate(instruction) : predicates[LLVMGetICmpPredicate(instruction) - LLVMIntEQ];
    if (!real && predicate > PREDICATE_NE && width == 64 && type_lanes(type) == 1) {
        layout_note_pair(lowering, instruction, a, b);
    }
    for (uint32_t lane = 0; lane < type_lanes(type); lane++) {
        lowering_emit(lowering, (struct instruction){.op = real         ? OP_FCMP
                                                           : width > 64 ? OP_WIDE_ICMP
                                                                        : OP_ICMP,
                                                     .width = (uint8_t)width,
                                                     .sub = predicate,
                                                     .dst = dst + lane,
                                                     .a = a + lane * step,
                                                     .b = b + lane * step});
    }
}

static void lowering_negation(struct lowering *lowering, LLVMValueRef instruction) {
    LLVMTypeRef type = LLVMTypeOf(instruction);
    uint32_t step = type_width(type) > 64 ? 2 : 1;
    uint32_t a = lowering_value(lowering, LLVMGetOperand(instruction, 0));
    uint32_t dst = lowering_result(lowering, instruction);
    for (uint32_t lane = 0; lane < type_lanes(type); lane++) {
        uint32_t operand = a + lane * step;
        lowering_emit(lowering, (struct instruction){.op = OP_FLOAT,
                                                     .width = (uint8_t)type_width(type),
                                                     .sub = FLOAT_NEG,
                                                     .dst = dst + lane * step,
                                                     .a = operand,
                                                     .b = operand});
    }
}

/* Integers of different widths, one lane. */
static void truncate(struct lowering *lowering, uint32_t dst, uint32_t a, uint32_t to) {
    if (to > 64) {
        lowering_move(lowering, dst, a);
        lowering_emit(lowering,
                      (struct instruction){.op = OP_TRUNC, .width = (uint8_t)(to - 64), .dst = dst + 1, .a = a + 1});
    } else {
        lowering_emit(lowering, (struct instruction){.op = OP_TRUNC, .width = (uint8_t)to, .dst = dst, .a = a});
    }
}

static void zero_extend(struct lowering *lowering, uint32_t dst, uint32_t a, uint32_t from, uint32_t to) {
    lowering_move(lowering, dst, a);
    if (to > 64) {
        lowering_move(lowering, dst + 1, from > 64 ? a + 1 : lowering_constant(lowering, 0));
    }
}

static void sign_extend(struct lowering *lowering, uint32_t dst, uint32_t a, uint32_t from, uint32_t to) {
    if (to <= 64) {
        lowering_emit(lowering, (struct instruction){
                                    .op = OP_SEXT, .width = (uint8_t)from, .sub = (uint8_t)to, .dst = dst, .a = a});
    } else if (from > 64) {
        lowering_emit(
            lowering,
            (struct instruction){.op = OP_WIDE_SEXT, .width = (uint8_t)from, .sub = (uint8_t)to, .dst = dst, .a = a});
    } else {
        uint32_t low = from == 64 ? a : lowering_unary(lowering, OP_SEXT, from, 64, a);
        uint32_t high = lowering_binary(lowering, OP_ASHR, 64, low, lowering_constant(lowering, 63));
        lowering_move(lowering, dst, low);
        lowering_emit(lowering,
                      (struct instruction){.op = OP_TRUNC, .width = (uint8_t)(to - 64), .dst = dst + 1, .a = high});
    }
}

static void convert(struct lowering *lowering, enum op op, uint32_t dst, uint32_t a, uint32_t from, uint32_t to) {
    lowering_emit(lowering, (struct instruction){
                                .op = (uint8_t)op, .width = (uint8_t)from, .sub = (uint8_t)to, .dst = dst, .a = a});
}

/* To a narrow integer, as x86 converts a number that does not fit: through a wider signed integer. */
static void convert_to_integer(struct lowering *lowering, bool is_signed, uint32_t dst, uint32_t a, uint32_t from,
                               uint32_t to) {
    uint32_t through = to < 32 ? 32 : 64;
    if (to >= 64 || (is_signed && to == 32)) {
        convert(lowering, is_signed ? OP_FTOSI : OP_FTOUI, dst, a, from, to);
        return;
    }
    uint32_t wide = lowering_registers(lowering, 1);
    convert(lowering, OP_FTOSI, wide, a, from, through);
    lowering_emit(lowering, (struct instruction){.op = OP_TRUNC, .width = (uint8_t)to, .dst = dst, .a = wide});
}

/* `count` bits, at most 64, from bit `start` of consecutive registers, whose numbers of bits `widths` has. */
static uint32_t extract_bits(struct lowering *lowering, uint32_t first, const uint32_t *widths, uint32_t start,
                             uint32_t count) {
    uint32_t result = lowering_constant(lowering, 0);
    uint32_t begin = 0;
    bool any = false;
    for (uint32_t k = 0; begin < start + count; begin += widths[k], k++) {
        if (begin + widths[k] <= start) {
            continue;
        }
        uint32_t piece = first + k;
        if (begin < start) {
            piece = lowering_binary(lowering, OP_LSHR, 64, piece, lowering_constant(lowering, start - begin));
        } else if (begin > start) {
            piece = lowering_binary(lowering, OP_SHL, 64, piece, lowering_constant(lowering, begin - start));
        }
        result = any ? lowering_binary(lowering, OP_OR, 64, result, piece) : piece;
        any = true;
    }
    return count < 64 ? lowering_unary(lowering, OP_TRUNC, count, 0, result) : result;
}

/* The number of bits in each register of a value; returns the number of registers. */
static uint32_t register_widths(struct lowering *lowering, LLVMTypeRef type, uint32_t **widths) {
    struct vector leaves;
    vector_init(&leaves, sizeof(struct leaf));
    type_leaves(lowering->layout, type, &leaves);
    *widths = memory_allocate((type_registers(type) + 1) * sizeof **widths);
    uint32_t count = 0;
    for (size_t i = 0; i < leaves.count; i++) {
        const struct leaf *leaf = vector_at(&leaves, i);
        (*widths)[count++] = leaf->width > 64 ? 64 : leaf->width;
        if (leaf->width > 64) {
            (*widths)[count++] = leaf->width - 64;
        }
    }
    vector_delete(&leaves);
    return count;
}

static void lowering_bitcast(struct lowering *lowering, LLVMValueRef instruction) {
    LLVMValueRef operand = LLVMGetOperand(instruction, 0);
    uint32_t *from = NULL;
    uint32_t *to = NULL;
    uint32_t from_count = register_widths(lowering, LLVMTypeOf(operand), &from);
    uint32_t to_count = register_widths(lowering, LLVMTypeOf(instruction), &to);
    bool same = from_count == to_count;
    for (uint32_t i = 0; same && i < to_count; i++) {
        same = from[i] == to[i];
    }
    uint32_t source = lowering_value(lowering, operand);
    if (same) {
        lowering_alias(lowering, instruction, source);
    } else {
        uint32_t dst = lowering_result(lowering, instruction);
        uint32_t start = 0;
        for (uint32_t i = 0; i < to_count; i++) {
            lowering_move(lowering, dst + i, extract_bits(lowering, source, from, start, to[i]));
            start += to[i];
        }
    }
    free(from);
    free(to);
}

/* Conversions that leave the registers unchanged. */
static bool keeps_registers(LLVMOpcode opcode, uint32_t from, uint32_t to) {
    switch (opcode) {
    case LLVMZExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
        return (from > 64) == (to > 64) && to >= from;
    case LLVMAddrSpaceCast:
    case LLVMFreeze:
        return true;
    case LLVMTrunc:
        return to == 64;
    default:
        return false;
    }
}

static bool lowering_conversion(struct lowering *lowering, LLVMValueRef instruction) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    LLVMValueRef operand = LLVMGetOperand(instruction, 0);
    LLVMTypeRef type = LLVMTypeOf(instruction);
    uint32_t from = type_width(LLVMTypeOf(operand));
    uint32_t to = type_width(type);
    uint32_t a = lowering_value(lowering, operand);
    if (opcode == LLVMPtrToInt && type_lanes(type) == 1) {
        layout_note_number(lowering, instruction, a);
    }
    if (keeps_registers(opcode, from, to) && (opcode == LLVMFreeze || type_lanes(type) == 1)) {
        lowering_alias(lowering, instruction, a);
        return true;
    }
    uint32_t dst = lowering_result(lowering, instruction);
    for (uint32_t lane = 0; lane < type_lanes(type); lane++) {
        uint32_t target = dst + lane * (to > 64 ? 2 : 1);
        uint32_t source = a + lane * (from > 64 ? 2 : 1);
        switch (opcode) {
        case LLVMTrunc:
            truncate(lowering, target, source, to);
            break;
        case LLVMZExt:
        case LLVMPtrToInt:
        case LLVMIntToPtr:
            if (to < from) {
                truncate(lowering, target, source, to);
            } else {
                zero_extend(lowering, target, source, from, to);
            }
            break;
        case LLVMSExt:
            sign_extend(lowering, target, source, from, to);
            break;
        case LLVMFPExt:
        case LLVMFPTrunc:
            convert(lowering, OP_FCONV, target, source, from, to);
            break;
        case LLVMFPToSI:
            convert_to_integer(lowering, true, target, source, from, to);
            break;
        case LLVMFPToUI:
            convert_to_integer(lowering, false, target, source, from, to);
            break;
        case LLVMSIToFP:
            convert(lowering, OP_SITOF, target, source, from, to);
            break;
        case LLVMUIToFP:
            convert(lowering, OP_UITOF, target, source, from, to);
            break;
        default:
            lowering_move(lowering, target, source);
        }
    }
    return true;
}

bool lowering_arithmetic(struct lowering *lowering, LLVMValueRef instruction) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    for (size_t i = 0; i < sizeof binary_operations / sizeof *binary_operations; i++) {
        if (binary_operations[i].opcode == opcode) {
            lowering_operation(lowering, instruction, &binary_operations[i]);
            return true;
        }
    }
    switch (opcode) {
    case LLVMICmp:
        lowering_comparison(lowering, instruction, false);
        return true;
    case LLVMFCmp:
        lowering_comparison(lowering, instruction, true);
        return true;
    case LLVMFNeg:
        lowering_negation(lowering, instruction);
        return true;
    case LLVMBitCast:
        lowering_bitcast(lowering, instruction);
        return true;
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMFPToUI:
    case LLVMFPToSI:
    case LLVMUIToFP:
    case LLVMSIToFP:
    case LLVMFPTrunc:
    case LLVMFPExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMAddrSpaceCast:
    case LLVMFreeze:
        return lowering_conversion(lowering, instruction);
    default:
        return false;
    }
}
