/* The function in which the program begins: constructors, main, and the end of the process.
 *
 * Destructors are handlers that `exit` runs, registered before all others, so that they run after them. */
#include <stdlib.h>
#include <string.h>

#include "front/c_lowering.h"
#include "front/c_map.h"
#include "util/memory.h"

struct ranked {
    uint64_t priority;
    uint64_t location;
    LLVMValueRef function;
};

static int compare_ranked(const void *left, const void *right) {
    const struct ranked *a = left;
    const struct ranked *b = right;
    if (a->priority != b->priority) {
        return a->priority < b->priority ? -1 : 1;
    }
    return a->location < b->location ? -1 : a->location > b->location;
}

/* The functions of llvm.global_ctors or llvm.global_dtors by their priority. */
static void list_read(struct lowering *lowering, const char *name, struct vector *list) {
    LLVMValueRef global = LLVMGetNamedGlobal(lowering->module, name);
    LLVMValueRef bytes = global == NULL ? NULL : LLVMGetInitializer(global);
    vector_init(list, sizeof(struct ranked));
    if (bytes == NULL || LLVMGetTypeKind(LLVMTypeOf(bytes)) != LLVMArrayTypeKind) {
        return;
    }
    for (uint64_t i = 0; i < LLVMGetArrayLength2(LLVMTypeOf(bytes)); i++) {
        LLVMValueRef entry = LLVMGetAggregateElement(bytes, (unsigned)i);
        struct ranked ranked = {.priority = LLVMConstIntGetZExtValue(LLVMGetAggregateElement(entry, 0)),
                                .location = i,
                                .function = LLVMGetAggregateElement(entry, 1)};
        if (handle_known(lowering->functions, ranked.function)) {
            vector_push(list, &ranked);
        }
    }
    if (list->count > 1) {
        qsort(list->data, list->count, sizeof(struct ranked), compare_ranked);
    }
}

static uint32_t call(struct lowering *lowering, LLVMValueRef function, const uint32_t *operands, uint32_t count) {
    uint32_t index = (uint32_t)*handle_find(lowering->functions, function);
    uint32_t results = builder_function_at(lowering->builder, index)->results;
    uint32_t dst = results == 0 ? NO_REGISTER : lowering_registers(lowering, results);
    lowering_emit(lowering, (struct instruction){.op = OP_CALL,
                                                 .dst = dst,
                                                 .a = index,
                                                 .b = builder_operands(lowering->builder, operands, count),
                                                 .c = count});
    return dst;
}

static void call_destructor_registrations(struct lowering *lowering) {
    LLVMValueRef registration = LLVMGetNamedFunction(lowering->module, "atexit");
    struct vector list;
    list_read(lowering, "llvm.global_dtors", &list);
    for (size_t i = 0; i < list.count && registration != NULL && handle_known(lowering->functions, registration); i++) {
        const struct ranked *ranked = vector_at(&list, i);
        uint32_t address = builder_address(
            lowering->builder, function_address((uint32_t)*handle_find(lowering->functions, ranked->function)));
        call(lowering, registration, &address, 1);
    }
    vector_delete(&list);
}

static void call_constructors(struct lowering *lowering) {
    struct vector list;
    list_read(lowering, "llvm.global_ctors", &list);
    for (size_t i = 0; i < list.count; i++) {
        call(lowering, ((struct ranked *)vector_at(&list, i))->function, NULL, 0);
    }
    vector_delete(&list);
}

/* argv = {name, NULL}; envp is the NULL at its end. */
static uint64_t make_argv(struct lowering *lowering, const char *program_name) {
    size_t size = strlen(program_name) + 1;
    uint32_t text = builder_global(lowering->builder, "argv[0]", size, 1, 0);
    builder_global_bytes(lowering->builder, text, program_name, size);
    uint64_t pointers[2] = {builder_global_at(lowering->builder, text)->address, 0};
    uint32_t argv = builder_global(lowering->builder, "argv", sizeof pointers, 8, 0);
    builder_global_bytes(lowering->builder, argv, pointers, sizeof pointers);
    builder_global_relocation(lowering->builder, argv, 0);
    return builder_global_at(lowering->builder, argv)->address;
}

void lowering_start(struct lowering *lowering, const char *program_name) {
    LLVMValueRef main_function = LLVMGetNamedFunction(lowering->module, "main");
    LLVMValueRef handlers = LLVMGetNamedFunction(lowering->module, "atexit");
    LLVMValueRef ending = LLVMGetNamedFunction(lowering->module, "exit");
    uint32_t index = builder_function(lowering->builder, "picket.start", 0, 0, FUNCTION_LIBRARY);
    lowering->builder->entry = index;
    lowering->next_register = 0;
    lowering->pos = 0;
    builder_begin(lowering->builder, index);
    call_destructor_registrations(lowering);
    call_constructors(lowering);
    uint32_t arguments[3] = {lowering_constant(lowering, 1), 0, 0};
    uint32_t count = LLVMCountParams(main_function) > 3 ? 3 : LLVMCountParams(main_function);
    if (count > 1) {
        uint64_t argv = make_argv(lowering, program_name);
        arguments[1] = builder_address(lowering->builder, argv);
        arguments[2] = builder_address(lowering->builder, argv + 8);
    }
    if (count > 0 && (LLVMGetFirstUse(LLVMGetParam(main_function, 0)) ||
                      (count > 1 && LLVMGetFirstUse(LLVMGetParam(main_function, 1))))) {
        lowering->pos = debug_function_position(&lowering->debug, main_function);
        lowering_assumed(lowering, ASSUMPTION_ARGUMENTS, lowering_constant(lowering, 0),
                         lowering_constant(lowering, 0));
        lowering->pos = 0;
    }
    uint32_t code = call(lowering, main_function, arguments, count);
    code = code == NO_REGISTER ? lowering_constant(lowering, 0) : code;
    if (handlers != NULL && handle_known(lowering->functions, handlers) && handle_known(lowering->functions, ending)) {
        call(lowering, ending, &code, 1);
    }
    code = lowering_binary(lowering, OP_AND, 32, code, lowering_constant(lowering, 255));
    lowering_emit(lowering, (struct instruction){.op = OP_EXIT, .a = code});
    builder_end(lowering->builder, lowering->next_register);
}
