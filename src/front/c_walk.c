/* The walk over functions, blocks and instructions. */
#include "front/c_walk.h"

#include <stdlib.h>
#include <string.h>

#include "front/c_map.h"
#include "front/library.h"
#include "util/memory.h"

void walk_unsupported(struct walk *walk, const char *what, const char *detail) {
    debug_error(&walk->debug, walk->diagnostics, walk->instruction, "not supported: %s%s%s", what,
                detail == NULL ? "" : " ", detail == NULL ? "" : detail);
}

/* Does a constant contain the address of a thread-local variable?  Then it is no number. */
static LLVMValueRef thread_local_base(LLVMValueRef constant) {
    while (LLVMIsAConstantExpr(constant)) {
        constant = LLVMGetOperand(constant, 0);
    }
    return LLVMIsAGlobalVariable(constant) && LLVMIsThreadLocal(constant) ? constant : NULL;
}

static uint32_t thread_local_address(struct walk *walk, LLVMValueRef global) {
    const uint64_t *index = handle_find(walk->globals, global);
    uint32_t dst = walk_registers(walk, 1);
    walk_emit(walk, (struct instruction){.op = OP_TLS, .dst = dst, .a = index == NULL ? 0 : (uint32_t)*index});
    return dst;
}

static uint32_t constant_operand(struct walk *walk, LLVMValueRef constant) {
    LLVMValueRef global = thread_local_base(constant);
    if (global != NULL) {
        /* A thread-local variable's own address counts as 0, so the constant is the offset. */
        uint64_t offset = 0;
        bool is_address = false;
        constant_registers(walk, constant, &offset, &is_address);
        return walk_add(walk, thread_local_address(walk, global), offset);
    }
    uint32_t count = type_registers(LLVMTypeOf(constant));
    uint64_t *values = memory_allocate((count + 1) * sizeof *values);
    bool *is_address = memory_allocate((count + 1) * sizeof *is_address);
    constant_registers(walk, constant, values, is_address);
    uint32_t operand = builder_constants_mixed(walk->builder, values, is_address, count);
    free(values);
    free(is_address);
    return operand;
}

uint32_t walk_value(struct walk *walk, LLVMValueRef value) {
    if (LLVMIsAConstant(value)) {
        return constant_operand(walk, value);
    }
    return walk_result(walk, value);
}

uint32_t walk_result(struct walk *walk, LLVMValueRef value) {
    const uint64_t *known = handle_find(walk->values, value);
    if (known != NULL) {
        return (uint32_t)*known;
    }
    uint32_t first = walk_registers(walk, type_registers(LLVMTypeOf(value)));
    handle_set(walk->values, value, first);
    return first;
}

void walk_alias(struct walk *walk, LLVMValueRef value, uint32_t operand) {
    handle_set(walk->values, value, operand);
}

static bool types_supported(struct walk *walk, LLVMValueRef instruction) {
    LLVMTypeRef bad = type_supported(LLVMTypeOf(instruction)) ? NULL : LLVMTypeOf(instruction);
    for (int i = 0; i < LLVMGetNumOperands(instruction) && bad == NULL; i++) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(instruction, (unsigned)i));
        bad = type_supported(type) ? NULL : type;
    }
    if (bad == NULL) {
        return true;
    }
    char *text = LLVMPrintTypeToString(bad);
    walk_unsupported(walk, "type", text);
    LLVMDisposeMessage(text);
    return false;
}

void walk_instruction(struct walk *walk, LLVMValueRef instruction) {
    walk->instruction = instruction;
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    if (opcode == LLVMPHI || !types_supported(walk, instruction)) {
        return;
    }
    walk->pos = debug_position(&walk->debug, instruction, NULL);
    if (opcode == LLVMCall) {
        walk_call(walk, instruction);
    } else if (LLVMIsATerminatorInst(instruction)) {
        walk_terminator(walk, instruction);
    } else if (!walk_arithmetic(walk, instruction) && !walk_memory(walk, instruction) &&
               !walk_aggregate(walk, instruction)) {
        char *text = LLVMPrintValueToString(instruction);
        walk_unsupported(walk, "the LLVM instruction", text);
        LLVMDisposeMessage(text);
    }
}

/* Appends the blocks behind `block` in postorder. */
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
        /* The last successor first, so that in the end the first one comes right behind the block. */
        LLVMBasicBlockRef next = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(top->block), --top->left);
        if (handle_add(seen, next)) {
            struct frame frame = {next, LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(next))};
            vector_push(&stack, &frame);
        }
    }
    vector_delete(&stack);
}

static void map_parameters(struct walk *walk) {
    for (LLVMValueRef p = LLVMGetFirstParam(walk->function); p; p = LLVMGetNextParam(p)) {
        walk_result(walk, p);
    }
    if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(walk->function))) {
        walk->hidden = walk_registers(walk, 1);
    }
}

static void map_phis(struct walk *walk, LLVMBasicBlockRef block) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
        walk->instruction = i;
        if (types_supported(walk, i)) {
            walk_result(walk, i);
        }
    }
}

/* One block for the variable arguments of all calls: each is done with it before the next one fills it. */
static void make_arguments_block(struct walk *walk, const struct vector *blocks) {
    uint64_t size = 0;
    for (size_t b = 0; b < blocks->count; b++) {
        LLVMBasicBlockRef block = *(LLVMBasicBlockRef *)vector_at(blocks, b);
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            uint64_t needed = LLVMIsACallInst(i) ? walk_arguments_size(walk, i) : 0;
            size = needed > size ? needed : size;
        }
    }
    if (size > 0) {
        walk->arguments_block = walk_registers(walk, 1);
        walk_emit(walk, (struct instruction){.op = OP_ALLOCA,
                                             .flags = INSTRUCTION_PRIVATE,
                                             .dst = walk->arguments_block,
                                             .a = walk_constant(walk, size),
                                             .b = 16});
    }
}

static void walk_blocks(struct walk *walk, const struct vector *blocks) {
    for (size_t b = blocks->count; b-- > 0;) {
        LLVMBasicBlockRef block = *(LLVMBasicBlockRef *)vector_at(blocks, b);
        walk->next_block = b > 0 ? *(LLVMBasicBlockRef *)vector_at(blocks, b - 1) : NULL;
        handle_set(walk->starts, block, builder_here(walk->builder));
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            walk_instruction(walk, i);
        }
    }
}

/* A library function of the table whose address is taken: a function that does nothing but the call. */
static void walk_library_function(struct walk *walk) {
    LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(walk->function));
    size_t length = 0;
    uint32_t arguments[16];
    const char *texts[16] = {NULL};
    uint32_t count = walk->next_register < 16 ? walk->next_register : 16;
    for (uint32_t i = 0; i < count; i++) {
        arguments[i] = i;
    }
    uint32_t results = type_registers(result);
    struct library_call call = {.name = LLVMGetValueName2(walk->function, &length),
                                .arguments = arguments,
                                .arguments_count = count,
                                .texts = texts,
                                .dst = results == 0 ? NO_REGISTER : walk_registers(walk, results),
                                .results = results,
                                .width = type_width(result)};
    char message[256];
    if (!library_lower(walk->builder, &walk->next_register, &call, message, sizeof message)) {
        debug_error(&walk->debug, walk->diagnostics, NULL, "%s", message);
    }
    uint32_t values[16];
    for (uint32_t i = 0; i < results && i < 16; i++) {
        values[i] = call.dst + i;
    }
    walk_emit(walk,
              (struct instruction){.op = OP_RET, .a = builder_operands(walk->builder, values, results), .b = results});
}

static void walk_function(struct walk *walk, uint32_t index) {
    walk->function = *(LLVMValueRef *)vector_at(&walk->order, index);
    walk->values = hash_table_new();
    walk->starts = hash_table_new();
    walk->fixups.count = 0;
    walk->next_register = 0;
    walk->pos = builder_function_at(walk->builder, index)->pos;
    builder_begin(walk->builder, index);
    map_parameters(walk);
    if (LLVMIsDeclaration(walk->function)) {
        walk_library_function(walk);
    } else {
        struct vector blocks;
        vector_init(&blocks, sizeof(LLVMBasicBlockRef));
        struct hash_table *seen = hash_table_new();
        walk->shares_locals = escapes_shares_locals(&walk->escapes, walk->function);
        debug_enter(&walk->debug, walk->function);
        postorder(LLVMGetEntryBasicBlock(walk->function), seen, &blocks);
        for (size_t b = 0; b < blocks.count; b++) {
            map_phis(walk, *(LLVMBasicBlockRef *)vector_at(&blocks, b));
        }
        make_arguments_block(walk, &blocks);
        walk_blocks(walk, &blocks);
        walk_patch(walk);
        hash_table_free(seen);
        vector_delete(&blocks);
    }
    builder_end(walk->builder, walk->next_register);
    hash_table_free(walk->values);
    hash_table_free(walk->starts);
}

bool walk_program(struct walk *walk, const char *program_name) {
    walk_reach(walk);
    if (!diagnostics_empty(walk->diagnostics)) {
        return false;
    }
    for (size_t i = 0; i < walk->order.count; i++) {
        walk_function(walk, (uint32_t)i);
    }
    walk_start(walk, program_name);
    return diagnostics_empty(walk->diagnostics);
}
