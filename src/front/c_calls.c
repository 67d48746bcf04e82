/* Calls: of functions with a body, of library functions, through pointers, and of inline assembler.
 *
 * Variable arguments are passed in one block, laid out as the x86-64 ABI lays out those that do not fit into registers:
 * slots of 8 bytes, aligned further if the type needs that.  Its address is an additional last argument. */
#include <stdlib.h>
#include <string.h>

#include "front/c_arguments.h"
#include "front/c_locals.h"
#include "front/c_lowering.h"
#include "front/c_map.h"
#include "front/inline_asm.h"
#include "front/library.h"
#include "util/memory.h"

static const char *name_of(LLVMValueRef value) {
    size_t length = 0;
    return LLVMGetValueName2(value, &length);
}

static bool starts_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

static LLVMTypeRef argument_type(LLVMValueRef call, unsigned argument, const char *attribute) {
    unsigned kind = LLVMGetEnumAttributeKindForName(attribute, strlen(attribute));
    LLVMAttributeRef found = LLVMGetCallSiteEnumAttribute(call, argument + 1, kind);
    return found == NULL ? NULL : LLVMGetTypeAttributeValue(found);
}

/* The type by which the arguments of a call are laid out: the callee's own if it is known. */
static LLVMTypeRef layout_type(LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return LLVMIsAFunction(callee) ? LLVMGlobalGetValueType(callee) : LLVMGetCalledFunctionType(call);
}

/* The slot of a variable argument in the block. */
struct slot {
    uint64_t offset;
    LLVMTypeRef copied; /* passed by value: the type that the argument points to */
};

static struct slot next_slot(struct lowering *lowering, LLVMValueRef call, unsigned argument, uint64_t *end) {
    struct slot slot = {.copied = argument_type(call, argument, "byval")};
    LLVMTypeRef type = slot.copied != NULL ? slot.copied : LLVMTypeOf(LLVMGetArgOperand(call, argument));
    bool aligned = LLVMABIAlignmentOfType(lowering->layout, type) > 8 || argument_is_aligned(call, argument);
    uint64_t alignment = aligned ? 16 : 8;
    uint64_t size = LLVMABISizeOfType(lowering->layout, type);
    slot.offset = (*end + alignment - 1) / alignment * alignment;
    *end = slot.offset + (size + 7) / 8 * 8;
    return slot;
}

uint64_t lowering_arguments_size(struct lowering *lowering, LLVMValueRef call) {
    LLVMTypeRef type = layout_type(call);
    uint64_t end = 0;
    if (!LLVMIsAInlineAsm(LLVMGetCalledValue(call)) && LLVMIsFunctionVarArg(type)) {
        for (unsigned i = LLVMCountParamTypes(type); i < LLVMGetNumArgOperands(call); i++) {
            if (!type_supported(LLVMTypeOf(LLVMGetArgOperand(call, i)))) {
                return 0;
            }
            next_slot(lowering, call, i, &end);
        }
    }
    return end;
}

/* Copies a struct into the block, in pieces. */
static void copy_to_block(struct lowering *lowering, uint32_t block, uint32_t source, uint64_t size) {
    for (uint64_t offset = 0, piece = 0; offset < size; offset += piece) {
        piece = size - offset >= 8 ? 8 : size - offset >= 4 ? 4 : size - offset >= 2 ? 2 : 1;
        uint32_t value = lowering_registers(lowering, 1);
        lowering_emit(lowering, (struct instruction){.op = OP_LOAD,
                                                     .width = (uint8_t)piece,
                                                     .dst = value,
                                                     .a = lowering_add(lowering, source, offset)});
        lowering_emit(lowering, (struct instruction){.op = OP_STORE,
                                                     .width = (uint8_t)piece,
                                                     .a = lowering_add(lowering, block, offset),
                                                     .b = value});
    }
}

/* Fills the block and returns its address as an operand. */
static uint32_t fill_block(struct lowering *lowering, LLVMValueRef call, unsigned first) {
    unsigned count = LLVMGetNumArgOperands(call);
    uint64_t end = 0;
    if (first >= count) {
        return lowering_constant(lowering, 0);
    }
    for (unsigned i = first; i < count; i++) {
        LLVMValueRef argument = LLVMGetArgOperand(call, i);
        struct slot slot = next_slot(lowering, call, i, &end);
        uint32_t value = lowering_value(lowering, argument);
        uint32_t location = lowering_add(lowering, lowering->arguments_block, slot.offset);
        LLVMTypeRef type = LLVMTypeOf(argument);
        if (slot.copied != NULL) {
            copy_to_block(lowering, location, value, LLVMABISizeOfType(lowering->layout, slot.copied));
        } else if (type_registers(type) == 1) {
            /* Narrow numbers fill their slot. */
            lowering_emit(lowering, (struct instruction){.op = OP_STORE, .width = 8, .a = location, .b = value});
        } else {
            lowering_store(lowering, (struct access){.address = location}, type, value);
        }
    }
    return lowering->arguments_block;
}

static void append_value(struct lowering *lowering, struct vector *operands, LLVMValueRef value) {
    uint32_t first = lowering_value(lowering, value);
    for (uint32_t i = 0; i < type_registers(LLVMTypeOf(value)); i++) {
        uint32_t operand = first + i;
        vector_push(operands, &operand);
    }
}

/* All arguments of a call; those that a variadic function declares and does not receive are 0. */
static void collect_arguments(struct lowering *lowering, LLVMValueRef call, struct vector *operands) {
    LLVMTypeRef type = layout_type(call);
    bool variable = LLVMIsFunctionVarArg(type);
    unsigned declared = LLVMCountParamTypes(type);
    unsigned given = LLVMGetNumArgOperands(call);
    for (unsigned i = 0; i < given && (!variable || i < declared); i++) {
        append_value(lowering, operands, LLVMGetArgOperand(call, i));
    }
    if (!variable) {
        return;
    }
    uint32_t zero = lowering_constant(lowering, 0);
    LLVMTypeRef *types = memory_allocate((declared + 1) * sizeof(LLVMTypeRef));
    LLVMGetParamTypes(type, types);
    for (unsigned i = given; i < declared; i++) {
        for (uint32_t k = 0; k < type_registers(types[i]); k++) {
            vector_push(operands, &zero);
        }
    }
    free(types);
    uint32_t block = fill_block(lowering, call, declared);
    vector_push(operands, &block);
}

static void call_function(struct lowering *lowering, LLVMValueRef call, LLVMValueRef callee) {
    struct vector operands;
    vector_init(&operands, sizeof(uint32_t));
    collect_arguments(lowering, call, &operands);
    uint32_t wanted = type_registers(LLVMTypeOf(call));
    uint32_t start = builder_operands(lowering->builder, operands.data, operands.count);
    struct instruction instruction = {.b = start, .c = (uint32_t)operands.count, .dst = NO_REGISTER};
    const uint64_t *index = LLVMIsAFunction(callee) ? handle_find(lowering->functions, callee) : NULL;
    uint32_t results = wanted;
    if (index != NULL) {
        instruction.op = OP_CALL;
        instruction.a = (uint32_t)*index;
        results = builder_function_at(lowering->builder, (uint32_t)*index)->results;
    } else {
        instruction.op = OP_CALL_INDIRECT;
        instruction.sub = (uint8_t)wanted;
        instruction.a = lowering_value(lowering, callee);
    }
    if (results == wanted) {
        instruction.dst = wanted == 0 ? NO_REGISTER : lowering_result(lowering, call);
        lowering_emit(lowering, instruction);
    } else {
        /* Called through a declaration with another result. */
        instruction.dst = results == 0 ? NO_REGISTER : lowering_registers(lowering, results);
        lowering_emit(lowering, instruction);
        uint32_t dst = wanted == 0 ? 0 : lowering_result(lowering, call);
        for (uint32_t i = 0; i < wanted; i++) {
            lowering_move(lowering, dst + i, i < results ? instruction.dst + i : lowering_constant(lowering, 0));
        }
    }
    vector_delete(&operands);
}

/* The constant C string to which a pointer points, or NULL. */
static const char *constant_text(struct lowering *lowering, LLVMValueRef value) {
    int64_t offset = 0;
    LLVMValueRef base = pointer_base(lowering->layout, value, &offset);
    LLVMValueRef bytes = LLVMIsAGlobalVariable(base) && LLVMIsGlobalConstant(base) ? LLVMGetInitializer(base) : NULL;
    if (bytes == NULL || !LLVMIsConstantString(bytes)) {
        return NULL;
    }
    size_t length = 0;
    const char *text = LLVMGetAsString(bytes, &length);
    /* A string must end inside the array. */
    return offset >= 0 && (size_t)offset < length && memchr(text + offset, 0, length - (size_t)offset) != NULL
               ? text + offset
               : NULL;
}

static void call_library(struct lowering *lowering, LLVMValueRef call, const char *name) {
    struct vector operands;
    struct vector texts;
    vector_init(&operands, sizeof(uint32_t));
    vector_init(&texts, sizeof(const char *));
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef argument = LLVMGetArgOperand(call, i);
        append_value(lowering, &operands, argument);
        bool pointer = LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMPointerTypeKind;
        for (const char *text = pointer ? constant_text(lowering, argument) : NULL; texts.count < operands.count;
             text = NULL) {
            vector_push(&texts, &text);
        }
    }
    LLVMTypeRef type = LLVMTypeOf(call);
    uint32_t results = type_registers(type);
    LLVMTypeRef first = LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, 0) : type;
    struct library_call request = {.name = name,
                                   .arguments = operands.data,
                                   .arguments_count = (uint32_t)operands.count,
                                   .texts = texts.data,
                                   .dst = results == 0 ? NO_REGISTER : lowering_result(lowering, call),
                                   .results = results,
                                   .width = results == 0 ? 0 : type_width(first),
                                   .pos = lowering->pos};
    char message[512];
    if (!library_lower(lowering->builder, &lowering->next_register, &request, message, sizeof message)) {
        debug_error(&lowering->debug, lowering->diagnostics, call, "%s", message);
    }
    vector_delete(&operands);
    vector_delete(&texts);
}

static void call_assembler(struct lowering *lowering, LLVMValueRef call, LLVMValueRef assembler) {
    unsigned count = LLVMGetNumArgOperands(call);
    struct asm_input *inputs = memory_allocate((count + 1) * sizeof *inputs);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef argument = LLVMGetArgOperand(call, i);
        LLVMTypeRef pointed = argument_type(call, i, "elementtype");
        uint64_t bytes = pointed == NULL ? 0 : LLVMABISizeOfType(lowering->layout, pointed);
        inputs[i] =
            (struct asm_input){.operand = lowering_value(lowering, argument),
                               .width = pointed != NULL ? (uint32_t)bytes * 8 : type_width(LLVMTypeOf(argument)),
                               .indirect = pointed != NULL};
        if (pointed != NULL && bytes > 0) {
            struct access_name name;
            debug_access_name(&lowering->debug, argument, bytes, &name);
            if (name.text[0] != 0) {
                lowering->pos = debug_position(&lowering->debug, call, &name);
            }
        }
    }
    LLVMTypeRef type = LLVMTypeOf(call);
    struct vector leaves;
    vector_init(&leaves, sizeof(struct leaf));
    type_leaves(lowering->layout, type, &leaves);
    struct asm_output *outputs = memory_allocate((leaves.count + 1) * sizeof *outputs);
    uint32_t dst = leaves.count == 0 ? 0 : lowering_result(lowering, call);
    for (size_t i = 0; i < leaves.count; i++) {
        const struct leaf *leaf = vector_at(&leaves, i);
        outputs[i] = (struct asm_output){.dst = dst + leaf->first, .width = leaf->width};
    }
    size_t length = 0;
    struct asm_statement statement = {.text = LLVMGetInlineAsmAsmString(assembler, &length),
                                      .constraints = LLVMGetInlineAsmConstraintString(assembler, &length),
                                      .intel = LLVMGetInlineAsmDialect(assembler) == LLVMInlineAsmDialectIntel,
                                      .inputs = inputs,
                                      .inputs_count = count,
                                      .outputs = outputs,
                                      .outputs_count = (uint32_t)leaves.count,
                                      .pos = lowering->pos};
    char message[512];
    if (!inline_asm_lower(lowering->builder, &lowering->next_register, &statement, message, sizeof message)) {
        debug_error(&lowering->debug, lowering->diagnostics, call, "%s", message);
    }
    vector_delete(&leaves);
    free(inputs);
    free(outputs);
}

static void call_uninit(struct lowering *lowering, LLVMValueRef call) {
    if (LLVMGetFirstUse(call) == NULL) {
        return;
    }
    struct access_name variable = {.object = NULL};
    snprintf(variable.text, sizeof variable.text, "%s", name_of(call));
    variable.text[strcspn(variable.text, ".")] = 0;
    lowering->pos = debug_position(&lowering->debug, call, &variable);
    uint32_t dst = lowering_result(lowering, call);
    for (uint32_t i = 0; i < type_registers(LLVMTypeOf(call)); i++) {
        lowering_emit(lowering, (struct instruction){.op = OP_UNINIT, .dst = dst + i});
    }
}

/* A division that was hidden from LLVM's passes. */
static void call_division(struct lowering *lowering, LLVMValueRef call, const char *name) {
    static const struct {
        const char *name;
        uint8_t op;
    } divisions[] = {{"udiv.", OP_UDIV}, {"sdiv.", OP_SDIV}, {"urem.", OP_UREM}, {"srem.", OP_SREM}};
    uint32_t width = type_width(LLVMTypeOf(call));
    uint32_t a = lowering_value(lowering, LLVMGetArgOperand(call, 0));
    uint32_t b = lowering_value(lowering, LLVMGetArgOperand(call, 1));
    for (size_t i = 0; i < sizeof divisions / sizeof *divisions; i++) {
        if (starts_with(name, divisions[i].name)) {
            lowering_emit(lowering, (struct instruction){.op = width > 64 ? OP_WIDE : divisions[i].op,
                                                         .width = (uint8_t)width,
                                                         .sub = width > 64 ? divisions[i].op : 0,
                                                         .dst = lowering_result(lowering, call),
                                                         .a = a,
                                                         .b = b});
        }
    }
}

void lowering_call(struct lowering *lowering, LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMIsAInlineAsm(callee)) {
        call_assembler(lowering, call, callee);
        return;
    }
    if (LLVMIsAFunction(callee) && LLVMIsDeclaration(callee)) {
        const char *name = name_of(callee);
        if (starts_with(name, "llvm.")) {
            lowering_intrinsic(lowering, call, name);
            return;
        }
        if (starts_with(name, UNINIT_NAME)) {
            call_uninit(lowering, call);
            return;
        }
        if (starts_with(name, DIVIDE_NAME)) {
            call_division(lowering, call, name + strlen(DIVIDE_NAME));
            return;
        }
        if (starts_with(name, OPAQUE_NAME)) {
            lowering_alias(lowering, call, lowering_value(lowering, LLVMGetArgOperand(call, 0)));
            return;
        }
        if (strcmp(name, "__picket_checks_misuse") == 0) {
            lowering_alias(lowering, call, lowering_constant(lowering, lowering->misuse));
            return;
        }
        if (library_knows(name)) {
            call_library(lowering, call, name);
            return;
        }
    }
    call_function(lowering, call, callee);
}
