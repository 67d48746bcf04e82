/* Structs, arrays and vectors in registers: their parts, making them, and select. */
#include "front/c_lowering.h"

static void move_all(struct lowering *lowering, uint32_t dst, uint32_t source, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        lowering_move(lowering, dst + i, source + i);
    }
}

/* The registers of the part at the indices of an extractvalue or insertvalue. */
static uint32_t indexed_part(LLVMValueRef instruction, LLVMTypeRef type, LLVMTypeRef *part) {
    uint32_t offset = 0;
    const unsigned *indices = LLVMGetIndices(instruction);
    for (unsigned i = 0; i < LLVMGetNumIndices(instruction); i++) {
        offset += type_part_register(type, indices[i]);
        type = type_part(type, indices[i]);
    }
    *part = type;
    return offset;
}

static void extract_value(struct lowering *lowering, LLVMValueRef instruction) {
    LLVMValueRef whole = LLVMGetOperand(instruction, 0);
    LLVMTypeRef part = NULL;
    uint32_t offset = indexed_part(instruction, LLVMTypeOf(whole), &part);
    lowering_alias(lowering, instruction, lowering_value(lowering, whole) + offset);
}

static void insert_value(struct lowering *lowering, LLVMValueRef instruction) {
    LLVMTypeRef type = LLVMTypeOf(instruction);
    LLVMTypeRef part = NULL;
    uint32_t offset = indexed_part(instruction, type, &part);
    uint32_t whole = lowering_value(lowering, LLVMGetOperand(instruction, 0));
    uint32_t value = lowering_value(lowering, LLVMGetOperand(instruction, 1));
    uint32_t dst = lowering_result(lowering, instruction);
    uint32_t size = type_registers(part);
    move_all(lowering, dst, whole, offset);
    move_all(lowering, dst + offset, value, size);
    move_all(lowering, dst + offset + size, whole + offset + size, type_registers(type) - offset - size);
}

static void extract_element(struct lowering *lowering, LLVMValueRef instruction) {
    LLVMValueRef vector = LLVMGetOperand(instruction, 0);
    LLVMValueRef index = LLVMGetOperand(instruction, 1);
    LLVMTypeRef type = LLVMTypeOf(vector);
    uint32_t size = type_registers(LLVMTypeOf(instruction));
    uint32_t first = lowering_value(lowering, vector);
    if (LLVMIsAConstantInt(index)) {
        uint32_t lane = (uint32_t)LLVMConstIntGetZExtValue(index) % LLVMGetVectorSize(type);
        lowering_alias(lowering, instruction, first + lane * size);
        return;
    }
    uint32_t number = lowering_value(lowering, index);
    uint32_t dst = lowering_result(lowering, instruction);
    move_all(lowering, dst, first, size);
    for (uint32_t lane = 1; lane < LLVMGetVectorSize(type); lane++) {
        uint32_t here = lowering_compare(lowering, PREDICATE_EQ, 64, number, lowering_constant(lowering, lane));
        for (uint32_t i = 0; i < size; i++) {
            lowering_move(lowering, dst + i, lowering_select(lowering, here, first + lane * size + i, dst + i));
        }
    }
}

static void insert_element(struct lowering *lowering, LLVMValueRef instruction) {
    LLVMTypeRef type = LLVMTypeOf(instruction);
    uint32_t size = type_registers(LLVMGetElementType(type));
    uint32_t first = lowering_value(lowering, LLVMGetOperand(instruction, 0));
    uint32_t value = lowering_value(lowering, LLVMGetOperand(instruction, 1));
    uint32_t number = lowering_value(lowering, LLVMGetOperand(instruction, 2));
    uint32_t dst = lowering_result(lowering, instruction);
    for (uint32_t lane = 0; lane < LLVMGetVectorSize(type); lane++) {
        uint32_t here = lowering_compare(lowering, PREDICATE_EQ, 64, number, lowering_constant(lowering, lane));
        for (uint32_t i = 0; i < size; i++) {
            lowering_move(lowering, dst + lane * size + i,
                          lowering_select(lowering, here, value + i, first + lane * size + i));
        }
    }
}

static void shuffle_vector(struct lowering *lowering, LLVMValueRef instruction) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(instruction, 0));
    uint32_t size = type_registers(LLVMGetElementType(type));
    uint32_t lanes = LLVMGetVectorSize(type);
    uint32_t a = lowering_value(lowering, LLVMGetOperand(instruction, 0));
    uint32_t b = lowering_value(lowering, LLVMGetOperand(instruction, 1));
    uint32_t dst = lowering_result(lowering, instruction);
    for (unsigned i = 0; i < LLVMGetNumMaskElements(instruction); i++) {
        int from = LLVMGetMaskValue(instruction, i);
        for (uint32_t k = 0; k < size; k++) {
            uint32_t source = from < 0                 ? lowering_constant(lowering, 0)
                              : (uint32_t)from < lanes ? a + (uint32_t)from * size + k
                                                       : b + ((uint32_t)from - lanes) * size + k;
            lowering_move(lowering, dst + i * size + k, source);
        }
    }
}

static void select_value(struct lowering *lowering, LLVMValueRef instruction) {
    LLVMValueRef condition = LLVMGetOperand(instruction, 0);
    bool lanes = LLVMGetTypeKind(LLVMTypeOf(condition)) == LLVMVectorTypeKind;
    LLVMTypeRef type = LLVMTypeOf(instruction);
    uint32_t size = lanes ? type_registers(LLVMGetElementType(type)) : type_registers(type);
    uint32_t chosen = lowering_value(lowering, condition);
    uint32_t a = lowering_value(lowering, LLVMGetOperand(instruction, 1));
    uint32_t b = lowering_value(lowering, LLVMGetOperand(instruction, 2));
    uint32_t dst = lowering_result(lowering, instruction);
    for (uint32_t i = 0; i < type_registers(type); i++) {
        lowering_emit(lowering, (struct instruction){.op = OP_SELECT,
                                                     .width = 64,
                                                     .dst = dst + i,
                                                     .a = lanes ? chosen + i / size : chosen,
                                                     .b = a + i,
                                                     .c = b + i});
    }
}

bool lowering_aggregate(struct lowering *lowering, LLVMValueRef instruction) {
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMExtractValue:
        extract_value(lowering, instruction);
        return true;
    case LLVMInsertValue:
        insert_value(lowering, instruction);
        return true;
    case LLVMExtractElement:
        extract_element(lowering, instruction);
        return true;
    case LLVMInsertElement:
        insert_element(lowering, instruction);
        return true;
    case LLVMShuffleVector:
        shuffle_vector(lowering, instruction);
        return true;
    case LLVMSelect:
        select_value(lowering, instruction);
        return true;
    default:
        return false;
    }
}
