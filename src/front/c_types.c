/* LLVM's types in registers and in memory. */
#include "front/c_types.h"

bool type_supported(LLVMTypeRef type) {
    switch (LLVMGetTypeKind(type)) {
    case LLVMVoidTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMX86_FP80TypeKind:
    case LLVMPointerTypeKind:
    case LLVMLabelTypeKind:
    case LLVMMetadataTypeKind:
        return true;
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type) <= 128;
    case LLVMVectorTypeKind:
    case LLVMArrayTypeKind:
        return type_supported(LLVMGetElementType(type));
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) {
            if (!type_supported(LLVMStructGetTypeAtIndex(type, i))) {
                return false;
            }
        }
        return !LLVMIsOpaqueStruct(type);
    default:
        return false;
    }
}

uint32_t type_width(LLVMTypeRef type) {
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type);
    case LLVMFloatTypeKind:
        return 32;
    case LLVMX86_FP80TypeKind:
        return 80;
    case LLVMVectorTypeKind:
        return type_width(LLVMGetElementType(type));
    default:
        return 64;
    }
}

LLVMTypeRef type_scalar(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

uint32_t type_lanes(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 1;
}

uint32_t type_registers(LLVMTypeRef type) {
    uint32_t sum = 0;
    switch (LLVMGetTypeKind(type)) {
    case LLVMVoidTypeKind:
    case LLVMLabelTypeKind:
    case LLVMMetadataTypeKind:
        return 0;
    case LLVMVectorTypeKind:
        return LLVMGetVectorSize(type) * type_registers(LLVMGetElementType(type));
    case LLVMArrayTypeKind:
        return (uint32_t)LLVMGetArrayLength2(type) * type_registers(LLVMGetElementType(type));
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) {
            sum += type_registers(LLVMStructGetTypeAtIndex(type, i));
        }
        return sum;
    default:
        return type_width(type) > 64 ? 2 : 1;
    }
}

LLVMTypeRef type_part(LLVMTypeRef type, uint32_t index) {
    return LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, index)
                                                       : LLVMGetElementType(type);
}

uint32_t type_part_register(LLVMTypeRef type, uint32_t index) {
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind) {
        return index * type_registers(LLVMGetElementType(type));
    }
    uint32_t sum = 0;
    for (unsigned i = 0; i < index; i++) {
        sum += type_registers(LLVMStructGetTypeAtIndex(type, i));
    }
    return sum;
}

static void leaves_append(LLVMTargetDataRef layout, LLVMTypeRef type, uint64_t offset, uint32_t *registers,
                          struct vector *leaves) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMStructTypeKind) {
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) {
            leaves_append(layout, LLVMStructGetTypeAtIndex(type, i), offset + LLVMOffsetOfElement(layout, type, i),
                          registers, leaves);
        }
        return;
    }
    if (kind == LLVMArrayTypeKind || kind == LLVMVectorTypeKind) {
        LLVMTypeRef element = LLVMGetElementType(type);
        uint64_t count = kind == LLVMArrayTypeKind ? LLVMGetArrayLength2(type) : LLVMGetVectorSize(type);
        uint64_t stride = LLVMABISizeOfType(layout, element);
        for (uint64_t i = 0; i < count; i++) {
            leaves_append(layout, element, offset + i * stride, registers, leaves);
        }
        return;
    }
    struct leaf leaf = {.kind = kind == LLVMIntegerTypeKind   ? LEAF_INTEGER
                                : kind == LLVMPointerTypeKind ? LEAF_POINTER
                                                              : LEAF_FLOAT,
                        .width = type_width(type),
                        .registers = type_width(type) > 64 ? 2 : 1,
                        .first = *registers,
                        .offset = offset,
                        .type = type};
    *registers += leaf.registers;
    vector_push(leaves, &leaf);
}

void type_leaves(LLVMTargetDataRef layout, LLVMTypeRef type, struct vector *leaves) {
    uint32_t registers = 0;
    if (LLVMGetTypeKind(type) != LLVMVoidTypeKind) {
        leaves_append(layout, type, 0, &registers, leaves);
    }
}

bool value_is(LLVMValueRef value, LLVMOpcode opcode) {
    if (LLVMIsAInstruction(value)) {
        return LLVMGetInstructionOpcode(value) == opcode;
    }
    return LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == opcode;
}

void gep_steps(LLVMTargetDataRef layout, LLVMValueRef gep, struct vector *steps) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    int count = LLVMGetNumOperands(gep);
    for (int i = 1; i < count; i++) {
        LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
        bool constant = LLVMIsAConstantInt(index) != NULL;
        struct gep_step step = {0};
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
            step.scale = (int64_t)LLVMOffsetOfElement(layout, type, field);
            type = LLVMStructGetTypeAtIndex(type, field);
        } else {
            if (i > 1) {
                type = LLVMGetElementType(type);
            }
            int64_t stride = (int64_t)LLVMABISizeOfType(layout, type);
            if (constant) {
                step.scale = (int64_t)((uint64_t)stride * (uint64_t)LLVMConstIntGetSExtValue(index));
            } else {
                step.index = index;
                step.scale = stride;
            }
        }
        vector_push(steps, &step);
    }
}

bool gep_constant(LLVMTargetDataRef layout, LLVMValueRef gep, int64_t *offset) {
    if (!value_is(gep, LLVMGetElementPtr)) {
        return false;
    }
    struct vector steps;
    vector_init(&steps, sizeof(struct gep_step));
    gep_steps(layout, gep, &steps);
    *offset = 0;
    bool constant = true;
    for (size_t i = 0; i < steps.count; i++) {
        const struct gep_step *step = vector_at(&steps, i);
        constant = constant && step->index == NULL;
        *offset += step->scale;
    }
    vector_delete(&steps);
    return constant;
}

LLVMValueRef pointer_base(LLVMTargetDataRef layout, LLVMValueRef pointer, int64_t *offset) {
    *offset = 0;
    for (;;) {
        int64_t more = 0;
        if (gep_constant(layout, pointer, &more)) {
            *offset += more;
        } else if (!value_is(pointer, LLVMBitCast) && !value_is(pointer, LLVMAddrSpaceCast)) {
            return pointer;
        }
        pointer = LLVMGetOperand(pointer, 0);
    }
}
