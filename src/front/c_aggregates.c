/* Structs, arrays and vectors in registers: taking them apart and putting them together; and select. */
#include "front/c_walk.h"

static void move_all(struct walk *walk, uint32_t dst, uint32_t source, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        walk_move(walk, dst + i, source + i);
    }
}

/* The registers of the part that the indices of an extractvalue or insertvalue name. */
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

static void extract_value(struct walk *walk, LLVMValueRef instruction) {
    LLVMValueRef whole = LLVMGetOperand(instruction, 0);
    LLVMTypeRef part = NULL;
    uint32_t offset = indexed_part(instruction, LLVMTypeOf(whole), &part);
    walk_alias(walk, instruction, walk_value(walk, whole) + offset);
}

static void insert_value(struct walk *walk, LLVMValueRef instruction) {
    LLVMTypeRef type = LLVMTypeOf(instruction);
    LLVMTypeRef part = NULL;
    uint32_t offset = indexed_part(instruction, type, &part);
    uint32_t whole = walk_value(walk, LLVMGetOperand(instruction, 0));
    uint32_t value = walk_value(walk, LLVMGetOperand(instruction, 1));
    uint32_t dst = walk_result(walk, instruction);
    uint32_t size = type_registers(part);
    move_all(walk, dst, whole, offset);
    move_all(walk, dst + offset, value, size);
    move_all(walk, dst + offset + size, whole + offset + size, type_registers(type) - offset - size);
}

static void extract_element(struct walk *walk, LLVMValueRef instruction) {
    LLVMValueRef vector = LLVMGetOperand(instruction, 0);
    LLVMValueRef index = LLVMGetOperand(instruction, 1);
    LLVMTypeRef type = LLVMTypeOf(vector);
    uint32_t size = type_registers(LLVMTypeOf(instruction));
    uint32_t first = walk_value(walk, vector);
    if (LLVMIsAConstantInt(index)) {
        uint32_t lane = (uint32_t)LLVMConstIntGetZExtValue(index) % LLVMGetVectorSize(type);
        walk_alias(walk, instruction, first + lane * size);
        return;
    }
    uint32_t number = walk_value(walk, index);
    uint32_t dst = walk_result(walk, instruction);
    move_all(walk, dst, first, size);
    for (uint32_t lane = 1; lane < LLVMGetVectorSize(type); lane++) {
        uint32_t here = walk_compare(walk, PREDICATE_EQ, 64, number, walk_constant(walk, lane));
        for (uint32_t i = 0; i < size; i++) {
            walk_move(walk, dst + i, walk_select(walk, here, first + lane * size + i, dst + i));
        }
    }
}

static void insert_element(struct walk *walk, LLVMValueRef instruction) {
    LLVMTypeRef type = LLVMTypeOf(instruction);
    uint32_t size = type_registers(LLVMGetElementType(type));
    uint32_t first = walk_value(walk, LLVMGetOperand(instruction, 0));
    uint32_t value = walk_value(walk, LLVMGetOperand(instruction, 1));
    uint32_t number = walk_value(walk, LLVMGetOperand(instruction, 2));
    uint32_t dst = walk_result(walk, instruction);
    for (uint32_t lane = 0; lane < LLVMGetVectorSize(type); lane++) {
        uint32_t here = walk_compare(walk, PREDICATE_EQ, 64, number, walk_constant(walk, lane));
        for (uint32_t i = 0; i < size; i++) {
            walk_move(walk, dst + lane * size + i, walk_select(walk, here, value + i, first + lane * size + i));
        }
    }
}

static void shuffle_vector(struct walk *walk, LLVMValueRef instruction) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(instruction, 0));
    uint32_t size = type_registers(LLVMGetElementType(type));
    uint32_t lanes = LLVMGetVectorSize(type);
    uint32_t a = walk_value(walk, LLVMGetOperand(instruction, 0));
    uint32_t b = walk_value(walk, LLVMGetOperand(instruction, 1));
    uint32_t dst = walk_result(walk, instruction);
    for (unsigned i = 0; i < LLVMGetNumMaskElements(instruction); i++) {
        int from = LLVMGetMaskValue(instruction, i);
        for (uint32_t k = 0; k < size; k++) {
            uint32_t source = from < 0                 ? walk_constant(walk, 0)
                              : (uint32_t)from < lanes ? a + (uint32_t)from * size + k
                                                       : b + ((uint32_t)from - lanes) * size + k;
            walk_move(walk, dst + i * size + k, source);
        }
    }
}

static void select_value(struct walk *walk, LLVMValueRef instruction) {
    LLVMValueRef condition = LLVMGetOperand(instruction, 0);
    bool lanes = LLVMGetTypeKind(LLVMTypeOf(condition)) == LLVMVectorTypeKind;
    LLVMTypeRef type = LLVMTypeOf(instruction);
    uint32_t size = lanes ? type_registers(LLVMGetElementType(type)) : type_registers(type);
    uint32_t chosen = walk_value(walk, condition);
    uint32_t a = walk_value(walk, LLVMGetOperand(instruction, 1));
    uint32_t b = walk_value(walk, LLVMGetOperand(instruction, 2));
    uint32_t dst = walk_result(walk, instruction);
    for (uint32_t i = 0; i < type_registers(type); i++) {
        walk_emit(walk, (struct instruction){.op = OP_SELECT,
                                             .width = 64,
                                             .dst = dst + i,
                                             .a = lanes ? chosen + i / size : chosen,
                                             .b = a + i,
                                             .c = b + i});
    }
}

bool walk_aggregate(struct walk *walk, LLVMValueRef instruction) {
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMExtractValue:
        extract_value(walk, instruction);
        return true;
    case LLVMInsertValue:
        insert_value(walk, instruction);
        return true;
    case LLVMExtractElement:
        extract_element(walk, instruction);
        return true;
    case LLVMInsertElement:
        insert_element(walk, instruction);
        return true;
    case LLVMShuffleVector:
        shuffle_vector(walk, instruction);
        return true;
    case LLVMSelect:
        select_value(walk, instruction);
        return true;
    default:
        return false;
    }
}
