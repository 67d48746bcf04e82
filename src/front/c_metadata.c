/* The nodes of LLVM's debug information, read by the positions of their operands.
 *
 * Operands in LLVM 19: every scope and type has file, scope, name first (a basic type leaves file and scope empty; a
 * lexical block has no name); a type has its base type fourth and a composite type its elements fifth; a variable has
 * scope, name, file, type. */
#include "front/c_metadata.h"

#include <string.h>

#include <stdlib.h>

#include "util/memory.h"

unsigned node_operands(LLVMContextRef context, LLVMMetadataRef node) {
    return node == NULL ? 0 : LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(context, node));
}

static LLVMValueRef operand_value(LLVMContextRef context, LLVMMetadataRef node, unsigned i) {
    LLVMValueRef value = LLVMMetadataAsValue(context, node);
    unsigned count = LLVMGetMDNodeNumOperands(value);
    if (i >= count) {
        return NULL;
    }
    LLVMValueRef few[32];
    LLVMValueRef *operands = count <= 32 ? few : memory_allocate(count * sizeof *operands);
    LLVMGetMDNodeOperands(value, operands);
    LLVMValueRef operand = operands[i];
    if (operands != few) {
        free(operands);
    }
    return operand;
}

LLVMMetadataRef node_operand(LLVMContextRef context, LLVMMetadataRef node, unsigned i) {
    LLVMValueRef operand = node == NULL ? NULL : operand_value(context, node, i);
    return operand == NULL ? NULL : LLVMValueAsMetadata(operand);
}

const char *node_text(LLVMContextRef context, LLVMMetadataRef node, unsigned i) {
    LLVMValueRef operand = node == NULL ? NULL : operand_value(context, node, i);
    unsigned length = 0;
    return operand == NULL ? NULL : LLVMGetMDString(operand, &length);
}

int64_t node_number(LLVMContextRef context, LLVMMetadataRef constant, int64_t otherwise) {
    if (constant == NULL || LLVMGetMetadataKind(constant) != LLVMConstantAsMetadataMetadataKind) {
        return otherwise;
    }
    LLVMValueRef value = operand_value(context, constant, 0);
    return value != NULL && LLVMIsAConstantInt(value) ? LLVMConstIntGetSExtValue(value) : otherwise;
}

const char *node_type_name(LLVMContextRef context, LLVMMetadataRef type) {
    return node_text(context, type, 2);
}

LLVMMetadataRef node_type_base(LLVMContextRef context, LLVMMetadataRef type) {
    return node_operand(context, type, 3);
}

LLVMMetadataRef node_type_elements(LLVMContextRef context, LLVMMetadataRef type) {
    return node_operand(context, type, 4);
}

const char *node_variable_name(LLVMContextRef context, LLVMMetadataRef variable) {
    return node_text(context, variable, 1);
}

LLVMMetadataRef node_variable_type(LLVMContextRef context, LLVMMetadataRef variable) {
    return node_operand(context, variable, 3);
}

LLVMMetadataRef node_scope_parent(LLVMContextRef context, LLVMMetadataRef scope) {
    return node_operand(context, scope, 1);
}

unsigned node_type_tag(LLVMMetadataRef type) {
    return type == NULL ? 0 : LLVMGetDINodeTag(type);
}

LLVMMetadataRef node_type_strip(LLVMContextRef context, LLVMMetadataRef type) {
    for (;;) {
        switch (node_type_tag(type)) {
        case TAG_TYPEDEF:
        case TAG_CONST:
        case TAG_VOLATILE:
        case TAG_RESTRICT:
        case TAG_ATOMIC:
        case TAG_MEMBER:
            type = node_type_base(context, type);
            break;
        default:
            return type;
        }
    }
}

unsigned node_array_dimensions(LLVMContextRef context, LLVMMetadataRef array) {
    return node_operands(context, node_type_elements(context, array));
}

uint64_t node_array_count(LLVMContextRef context, LLVMMetadataRef array, unsigned i) {
    LLVMMetadataRef range = node_operand(context, node_type_elements(context, array), i);
    int64_t count = node_number(context, node_operand(context, range, 0), 0);
    return count < 0 ? 0 : (uint64_t)count;
}

LLVMMetadataRef node_of_global(LLVMValueRef global) {
    size_t count = 0;
    LLVMMetadataRef variable = NULL;
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(global, &count);
    for (unsigned i = 0; i < count && variable == NULL; i++) {
        LLVMMetadataRef node = LLVMValueMetadataEntriesGetMetadata(entries, i);
        if (LLVMGetMetadataKind(node) == LLVMDIGlobalVariableExpressionMetadataKind) {
            variable = LLVMDIGlobalVariableExpressionGetVariable(node);
        }
    }
    LLVMDisposeValueMetadataEntries(entries);
    return variable;
}

LLVMValueRef node_described(LLVMValueRef instruction) {
    LLVMValueRef callee = LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
    size_t length = 0;
    if (callee == NULL || !LLVMIsAFunction(callee) ||
        strncmp(LLVMGetValueName2(callee, &length), "llvm.dbg.", 9) != 0 || LLVMGetNumArgOperands(instruction) < 2) {
        return NULL;
    }
    LLVMValueRef wrapped = LLVMGetArgOperand(instruction, 0);
    LLVMValueRef value = NULL;
    if (LLVMGetMetadataKind(LLVMValueAsMetadata(wrapped)) == LLVMLocalAsMetadataMetadataKind) {
        LLVMGetMDNodeOperands(wrapped, &value);
    }
    return value;
}
