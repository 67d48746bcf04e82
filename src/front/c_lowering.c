/* Visits functions, blocks and instructions. */
#include "front/c_lowering.h"

#include <stdlib.h>
#include <string.h>

#include "front/c_map.h"
#include "front/library.h"
#include "util/memory.h"

void lowering_unsupported(struct lowering *lowering, const char *what, const char *detail) {
    debug_error(&lowering->debug, lowering->diagnostics, lowering->instruction, "not supported: %s%s%s", what,
                detail == NULL ? "" : " ", detail == NULL ? "" : detail);
}

/* Does a constant contain the address of a thread-local variable?  Then it is no number. */
static LLVMValueRef thread_local_base(LLVMValueRef constant) {
    while (LLVMIsAConstantExpr(constant)) {
        constant = LLVMGetOperand(constant, 0);
    }
    return LLVMIsAGlobalVariable(constant) && LLVMIsThreadLocal(constant) ? constant : NULL;
}

static uint32_t thread_local_address(struct lowering *lowering, LLVMValueRef global) {
    const uint64_t *index = handle_find(lowering->globals, global);
    uint32_t dst = lowering_registers(lowering, 1);
    lowering_emit(lowering, (struct instruction){.op = OP_TLS, .dst = dst, .a = index == NULL ? 0 : (uint32_t)*index});
    return dst;
}

static uint32_t constant_operand(struct lowering *lowering, LLVMValueRef constant) {
    LLVMValueRef global = thread_local_base(constant);
    if (global != NULL) {
        /* A thread-local variable's own address counts as 0, so the constant is the offset. */
        uint64_t offset = 0;
        bool is_address = false;
        constant_registers(lowering, constant, &offset, &is_address);
        return lowering_add(lowering, thread_local_address(lowering, global), offset);
    }
    uint32_t count = type_registers(LLVMTypeOf(constant));
    uint64_t *values = memory_allocate((count + 1) * sizeof *values);
    bool *is_address = memory_allocate((count + 1) * sizeof *is_address);
    constant_registers(lowering, constant, values, is_address);
    uint32_t operand = builder_constants_mixed(lowering->builder, values, is_address, count);
    free(values);
    free(is_address);
    return operand;
}

uint32_t lowering_passed(struct lowering *lowering, LLVMValueRef value) {
    return LLVMIsAConstant(value) ? constant_operand(lowering, value) : lowering_result(lowering, value);
}

uint32_t lowering_value(struct lowering *lowering, LLVMValueRef value) {
    uninitialised_note(lowering, value);
    return lowering_passed(lowering, value);
}

uint32_t lowering_result(struct lowering *lowering, LLVMValueRef value) {
    const uint64_t *known = handle_find(lowering->values, value);
    if (known != NULL) {
        return (uint32_t)*known;
    }
    uint32_t first = lowering_registers(lowering, type_registers(LLVMTypeOf(value)));
    handle_set(lowering->values, value, first);
    return first;
}

void lowering_alias(struct lowering *lowering, LLVMValueRef value, uint32_t operand) {
    handle_set(lowering->values, value, operand);
}

static bool types_supported(struct lowering *lowering, LLVMValueRef instruction) {
    LLVMTypeRef bad = type_supported(LLVMTypeOf(instruction)) ? NULL : LLVMTypeOf(instruction);
    for (int i = 0; i < LLVMGetNumOperands(instruction) && bad == NULL; i++) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(instruction, (unsigned)i));
        bad = type_supported(type) ? NULL : type;
    }
    if (bad == NULL) {
        return true;
    }
    char *text = LLVMPrintTypeToString(bad);
    lowering_unsupported(lowering, "type", text);
    LLVMDisposeMessage(text);
    return false;
}

void lowering_instruction(struct lowering *lowering, LLVMValueRef instruction) {
    lowering->instruction = instruction;
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    if (opcode == LLVMPHI || !types_supported(lowering, instruction)) {
        return;
    }
    lowering->pos = debug_position(&lowering->debug, instruction, NULL);
    layout_note_constants(lowering, instruction);
    if (opcode == LLVMCall) {
        lowering_call(lowering, instruction);
    } else if (LLVMIsATerminatorInst(instruction)) {
        lowering_terminator(lowering, instruction);
    } else if (!lowering_arithmetic(lowering, instruction) && !lowering_memory(lowering, instruction) &&
               !lowering_aggregate(lowering, instruction)) {
        char *text = LLVMPrintValueToString(instruction);
        lowering_unsupported(lowering, "the LLVM instruction", text);
        LLVMDisposeMessage(text);
    }
}

/* Appends the blocks after `block` in postorder. */
static void postorder(LLVMBasicBlockRef block, struct hash_table *seen, struct vector *blocks) {
    struct frame {
        LLVMBasicBlockRef block;
        unsigned left;
    };
    struct vector stack;
    vector_init(&stack, sizeof(struct frame));
    struct frame first = {block, LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(block))};
    handle_add(seen, block);
    vector_push(&stack, &first);
    while (stack.count > 0) {
        struct frame *top = vector_at(&stack, stack.count - 1);
        if (top->left == 0) {
            vector_push(blocks, &top->block);
            stack.count--;
            continue;
        }
        /* The last successor first, so that in the end the first one comes right after the block. */
        LLVMBasicBlockRef next = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(top->block), --top->left);
        if (handle_add(seen, next)) {
            struct frame frame = {next, LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(next))};
            vector_push(&stack, &frame);
        }
    }
    vector_delete(&stack);
}

static void map_parameters(struct lowering *lowering) {
    for (LLVMValueRef p = LLVMGetFirstParam(lowering->function); p; p = LLVMGetNextParam(p)) {
        lowering_result(lowering, p);
    }
    if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(lowering->function))) {
        lowering->hidden = lowering_registers(lowering, 1);
    }
}

static void map_phis(struct lowering *lowering, LLVMBasicBlockRef block) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
        lowering->instruction = i;
        if (types_supported(lowering, i)) {
            lowering_result(lowering, i);
        }
    }
}

/* Makes one block for the variable arguments of all calls: each call has finished with it before the next one fills
 * it. */
static void make_arguments_block(struct lowering *lowering, const struct vector *blocks) {
    uint64_t size = 0;
    for (size_t b = 0; b < blocks->count; b++) {
        LLVMBasicBlockRef block = *(LLVMBasicBlockRef *)vector_at(blocks, b);
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            uint64_t needed = LLVMIsACallInst(i) ? lowering_arguments_size(lowering, i) : 0;
            size = needed > size ? needed : size;
        }
    }
    if (size > 0) {
        lowering->arguments_block = lowering_registers(lowering, 1);
        lowering_emit(lowering, (struct instruction){.op = OP_ALLOCA,
                                                     .flags = INSTRUCTION_PRIVATE,
                                                     .dst = lowering->arguments_block,
                                                     .a = lowering_constant(lowering, size),
                                                     .b = 16});
    }
}

static void lowering_blocks(struct lowering *lowering, const struct vector *blocks) {
    for (size_t b = blocks->count; b-- > 0;) {
        LLVMBasicBlockRef block = *(LLVMBasicBlockRef *)vector_at(blocks, b);
        lowering->next_block = b > 0 ? *(LLVMBasicBlockRef *)vector_at(blocks, b - 1) : NULL;
        handle_set(lowering->starts, block, builder_here(lowering->builder));
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            lowering_instruction(lowering, i);
        }
    }
}

/* A library function of the table whose address is taken becomes a function that contains only the call. */
static void lowering_library_function(struct lowering *lowering) {
    LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(lowering->function));
    size_t length = 0;
    uint32_t arguments[16];
    const char *texts[16] = {NULL};
    uint32_t count = lowering->next_register < 16 ? lowering->next_register : 16;
    for (uint32_t i = 0; i < count; i++) {
        arguments[i] = i;
    }
    uint32_t results = type_registers(result);
    struct library_call call = {.name = LLVMGetValueName2(lowering->function, &length),
                                .arguments = arguments,
                                .arguments_count = count,
                                .texts = texts,
                                .dst = results == 0 ? NO_REGISTER : lowering_registers(lowering, results),
                                .results = results,
                                .width = type_width(result)};
    char message[256];
    if (!library_lower(lowering->builder, &lowering->next_register, &call, message, sizeof message)) {
        debug_error(&lowering->debug, lowering->diagnostics, NULL, "%s", message);
    }
    uint32_t values[16];
    for (uint32_t i = 0; i < results && i < 16; i++) {
        values[i] = call.dst + i;
    }
    lowering_emit(lowering, (struct instruction){
                                .op = OP_RET, .a = builder_operands(lowering->builder, values, results), .b = results});
}

static void lowering_function(struct lowering *lowering, uint32_t index) {
    lowering->function = *(LLVMValueRef *)vector_at(&lowering->order, index);
    lowering->values = hash_table_new();
    lowering->starts = hash_table_new();
    lowering->flags = hash_table_new();
    lowering->fixups.count = 0;
    lowering->next_register = 0;
    lowering->pos = builder_function_at(lowering->builder, index)->pos;
    builder_begin(lowering->builder, index);
    map_parameters(lowering);
    if (LLVMIsDeclaration(lowering->function)) {
        lowering_library_function(lowering);
    } else {
        struct vector blocks;
        vector_init(&blocks, sizeof(LLVMBasicBlockRef));
        struct hash_table *seen = hash_table_new();
        lowering->shares_locals = escapes_shares_locals(&lowering->escapes, lowering->function);
        debug_enter(&lowering->debug, lowering->function);
        postorder(LLVMGetEntryBasicBlock(lowering->function), seen, &blocks);
        for (size_t b = 0; b < blocks.count; b++) {
            map_phis(lowering, *(LLVMBasicBlockRef *)vector_at(&blocks, b));
        }
        uninitialised_find(lowering, &blocks);
        make_arguments_block(lowering, &blocks);
        lowering_blocks(lowering, &blocks);
        lowering_patch(lowering);
        hash_table_free(seen);
        vector_delete(&blocks);
    }
    builder_end(lowering->builder, lowering->next_register);
    hash_table_free(lowering->values);
    hash_table_free(lowering->starts);
    hash_table_free(lowering->flags);
}

bool lowering_program(struct lowering *lowering, const char *program_name) {
    lowering_reach(lowering);
    if (!diagnostics_empty(lowering->diagnostics)) {
        return false;
    }
    for (size_t i = 0; i < lowering->order.count; i++) {
        lowering_function(lowering, (uint32_t)i);
    }
    lowering_start(lowering, program_name);
    return diagnostics_empty(lowering->diagnostics);
}
