/* The function in which the program begins: constructors, main, and the end of the process.
 *
 * Destructors are handlers that `exit` runs, registered before all others, so that they run after them. */
#include <stdlib.h>
#include <string.h>

#include "front/c_map.h"
#include "front/c_walk.h"
#include "util/memory.h"

struct ranked {
    uint64_t priority;
    uint64_t place;
    LLVMValueRef function;
};

static int compare_ranked(const void *left, const void *right) {
    const struct ranked *a = left;
    const struct ranked *b = right;
    if (a->priority != b->priority) {
        return a->priority < b->priority ? -1 : 1;
    }
    return a->place < b->place ? -1 : a->place > b->place;
}

/* The functions of llvm.global_ctors or llvm.global_dtors by their priority. */
static void list_read(struct walk *walk, const char *name, struct vector *list) {
    LLVMValueRef global = LLVMGetNamedGlobal(walk->module, name);
    LLVMValueRef bytes = global == NULL ? NULL : LLVMGetInitializer(global);
    vector_init(list, sizeof(struct ranked));
    if (bytes == NULL || LLVMGetTypeKind(LLVMTypeOf(bytes)) != LLVMArrayTypeKind) {
        return;
    }
    for (uint64_t i = 0; i < LLVMGetArrayLength2(LLVMTypeOf(bytes)); i++) {
        LLVMValueRef entry = LLVMGetAggregateElement(bytes, (unsigned)i);
        struct ranked ranked = {.priority = LLVMConstIntGetZExtValue(LLVMGetAggregateElement(entry, 0)),
                                .place = i,
                                .function = LLVMGetAggregateElement(entry, 1)};
        if (handle_known(walk->functions, ranked.function)) {
            vector_push(list, &ranked);
        }
    }
    if (list->count > 1) {
        qsort(list->data, list->count, sizeof(struct ranked), compare_ranked);
    }
}

static uint32_t call(struct walk *walk, LLVMValueRef function, const uint32_t *operands, uint32_t count) {
    uint32_t index = (uint32_t)*handle_find(walk->functions, function);
    uint32_t results = builder_function_at(walk->builder, index)->results;
    uint32_t dst = results == 0 ? NO_REGISTER : walk_registers(walk, results);
    walk_emit(
        walk,
        (struct instruction){
            .op = OP_CALL, .dst = dst, .a = index, .b = builder_operands(walk->builder, operands, count), .c = count});
    return dst;
}

static void call_destructor_registrations(struct walk *walk) {
    LLVMValueRef registration = LLVMGetNamedFunction(walk->module, "atexit");
    struct vector list;
    list_read(walk, "llvm.global_dtors", &list);
    for (size_t i = 0; i < list.count && registration != NULL && handle_known(walk->functions, registration); i++) {
        const struct ranked *ranked = vector_at(&list, i);
        uint32_t address =
            builder_address(walk->builder, function_address((uint32_t)*handle_find(walk->functions, ranked->function)));
        call(walk, registration, &address, 1);
    }
    vector_delete(&list);
}

static void call_constructors(struct walk *walk) {
    struct vector list;
    list_read(walk, "llvm.global_ctors", &list);
    for (size_t i = 0; i < list.count; i++) {
        call(walk, ((struct ranked *)vector_at(&list, i))->function, NULL, 0);
    }
    vector_delete(&list);
}

/* argv = {name, NULL}; envp is the NULL at its end. */
static uint64_t make_argv(struct walk *walk, const char *program_name) {
    size_t size = strlen(program_name) + 1;
    uint32_t text = builder_global(walk->builder, "argv[0]", size, 1, 0);
    builder_global_bytes(walk->builder, text, program_name, size);
    uint64_t pointers[2] = {builder_global_at(walk->builder, text)->address, 0};
    uint32_t argv = builder_global(walk->builder, "argv", sizeof pointers, 8, 0);
    builder_global_bytes(walk->builder, argv, pointers, sizeof pointers);
    builder_global_relocation(walk->builder, argv, 0);
    return builder_global_at(walk->builder, argv)->address;
}

void walk_start(struct walk *walk, const char *program_name) {
    LLVMValueRef main_function = LLVMGetNamedFunction(walk->module, "main");
    LLVMValueRef handlers = LLVMGetNamedFunction(walk->module, "atexit");
    LLVMValueRef ending = LLVMGetNamedFunction(walk->module, "exit");
    uint32_t index = builder_function(walk->builder, "picket.start", 0, 0, FUNCTION_LIBRARY);
    walk->builder->entry = index;
    walk->next_register = 0;
    walk->pos = 0;
    builder_begin(walk->builder, index);
    call_destructor_registrations(walk);
    call_constructors(walk);
    uint32_t arguments[3] = {walk_constant(walk, 1), 0, 0};
    uint32_t count = LLVMCountParams(main_function) > 3 ? 3 : LLVMCountParams(main_function);
    if (count > 1) {
        uint64_t argv = make_argv(walk, program_name);
        arguments[1] = builder_address(walk->builder, argv);
        arguments[2] = builder_address(walk->builder, argv + 8);
    }
    uint32_t code = call(walk, main_function, arguments, count);
    code = code == NO_REGISTER ? walk_constant(walk, 0) : code;
    if (handlers != NULL && handle_known(walk->functions, handlers) && handle_known(walk->functions, ending)) {
        call(walk, ending, &code, 1);
    }
    code = walk_binary(walk, OP_AND, 32, code, walk_constant(walk, 255));
    walk_emit(walk, (struct instruction){.op = OP_EXIT, .a = code});
    builder_end(walk->builder, walk->next_register);
}
