/* The functions and globals that the program can reach, found from the entry through calls and every use of an address,
 * and declared in the program so that their addresses are known.  If one is used but not defined, that is an error with
 * its name and its user. */
#include <stdlib.h>
#include <string.h>

#include "front/c_link.h"
#include "front/c_lowering.h"
#include "front/c_map.h"
#include "front/c_metadata.h"
#include "front/library.h"
#include "util/memory.h"

struct reach {
    struct lowering *lowering;
    struct hash_table *seen; /* constants */
    struct vector functions; /* of LLVMValueRef: not yet visited */
    struct vector globals;   /* of LLVMValueRef: their bytes are not set yet */
    LLVMValueRef user;       /* the present instruction, or the global whose bytes are being set */
};

static const char *name_of(LLVMValueRef value) {
    size_t length = 0;
    return LLVMGetValueName2(value, &length);
}

static bool starts_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

static void report_undefined(struct reach *reach, LLVMValueRef missing, const char *what) {
    /* What macros call is said as the macro's name. */
    static const struct {
        const char *name;
        const char *said;
    } refused[] = {{"setjmp", NULL},
                   {"_setjmp", "setjmp"},
                   {"sigsetjmp", NULL},
                   {"__sigsetjmp", "sigsetjmp, as in pthread_cleanup_push"},
                   {"longjmp", NULL},
                   {"siglongjmp", NULL},
                   {"_longjmp", "longjmp"},
                   {"__longjmp_chk", "longjmp"},
                   {"__pthread_register_cancel", "pthread_cleanup_push"},
                   {"__pthread_unregister_cancel", "pthread_cleanup_pop"},
                   {"__pthread_unwind_next", "pthread_cleanup_push"}};
    struct lowering *lowering = reach->lowering;
    const char *name = name_of(missing);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        if (strcmp(name, refused[i].name) == 0) {
            debug_error(&lowering->debug, lowering->diagnostics, reach->user, "not supported: %s",
                        refused[i].said ? refused[i].said : name);
            return;
        }
    }
    const char *user = "";
    if (reach->user != NULL) {
        user = LLVMIsAInstruction(reach->user) ? name_of(LLVMGetBasicBlockParent(LLVMGetInstructionParent(reach->user)))
                                               : name_of(reach->user);
    }
    debug_error(&lowering->debug, lowering->diagnostics, reach->user, "undefined %s '%s', used by '%s'", what, name,
                user);
}

static uint32_t function_parameters(LLVMValueRef function) {
    uint32_t count = 0;
    for (LLVMValueRef p = LLVMGetFirstParam(function); p; p = LLVMGetNextParam(p)) {
        count += type_registers(LLVMTypeOf(p));
    }
    return count + (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function)) ? 1 : 0);
}

static bool signature_supported(struct lowering *lowering, LLVMValueRef function) {
    LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(function));
    LLVMTypeRef bad = type_supported(result) ? NULL : result;
    for (LLVMValueRef p = LLVMGetFirstParam(function); p && bad == NULL; p = LLVMGetNextParam(p)) {
        bad = type_supported(LLVMTypeOf(p)) ? NULL : LLVMTypeOf(p);
    }
    if (bad == NULL) {
        return true;
    }
    char *text = LLVMPrintTypeToString(bad);
    debug_error(&lowering->debug, lowering->diagnostics, function, "not supported: type %s, in the function '%s'", text,
                name_of(function));
    LLVMDisposeMessage(text);
    return false;
}

static void reach_function(struct reach *reach, LLVMValueRef function) {
    struct lowering *lowering = reach->lowering;
    const char *name = name_of(function);
    if (handle_known(lowering->functions, function)) {
        return;
    }
    if (LLVMIsDeclaration(function) && !library_knows(name)) {
        if (LLVMGetLinkage(function) != LLVMExternalWeakLinkage && handle_add(reach->seen, function)) {
            report_undefined(reach, function, "function");
        }
        return;
    }
    if (!signature_supported(lowering, function)) {
        return;
    }
    uint32_t results = type_registers(LLVMGetReturnType(LLVMGlobalGetValueType(function)));
    LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
    const char *given = subprogram == NULL ? NULL : node_text(lowering->context, subprogram, 2);
    uint32_t flags = c_from_library(function) ? FUNCTION_LIBRARY | (library_is_whole(name) ? FUNCTION_WHOLE : 0) : 0;
    uint32_t index = builder_function(lowering->builder, given == NULL ? name : given, function_parameters(function),
                                      results, flags);
    builder_function_at(lowering->builder, index)->pos = debug_function_position(&lowering->debug, function);
    handle_set(lowering->functions, function, index);
    vector_push(&lowering->order, &function);
    vector_push(&reach->functions, &function);
}

static void reach_global(struct reach *reach, LLVMValueRef global) {
    struct lowering *lowering = reach->lowering;
    if (handle_known(lowering->globals, global)) {
        return;
    }
    if (LLVMIsDeclaration(global)) {
        if (LLVMGetLinkage(global) != LLVMExternalWeakLinkage && handle_add(reach->seen, global)) {
            report_undefined(reach, global, "variable");
        }
        return;
    }
    uint32_t flags = LLVMIsGlobalConstant(global) ? GLOBAL_CONSTANT : 0;
    if (LLVMIsThreadLocal(global)) {
        flags |= GLOBAL_THREAD_LOCAL | (escapes_is_private(&lowering->escapes, global) ? GLOBAL_PRIVATE : 0);
    }
    const char *given = debug_object_name(&lowering->debug, global);
    uint64_t size = LLVMABISizeOfType(lowering->layout, LLVMGlobalGetValueType(global));
    unsigned alignment = LLVMGetAlignment(global);
    const char *name = given == NULL || *given == 0 ? name_of(global) : given;
    alignment = alignment == 0 ? 1 : alignment;
    if (!builder_has_room(lowering->builder, size, alignment, flags)) {
        debug_error(&lowering->debug, lowering->diagnostics, global,
                    "not supported: '%s' has %llu bytes; an object has less than 2 GB, all %s together less than 4 GB",
                    name, (unsigned long long)size,
                    flags & GLOBAL_THREAD_LOCAL ? "thread-local variables" : "global variables");
        size = 1;
    }
    uint32_t index = builder_global(lowering->builder, name, size, alignment, flags);
    uint32_t type = debug_object_type(&lowering->debug, global);
    uint32_t pos = debug_global_position(&lowering->debug, global);
    builder_global_at(lowering->builder, index)->type = type;
    builder_global_at(lowering->builder, index)->pos = pos;
    handle_set(lowering->globals, global, index);
    vector_push(&reach->globals, &global);
}

static void reach_constant(struct reach *reach, LLVMValueRef constant) {
    if (LLVMIsAFunction(constant)) {
        reach_function(reach, constant);
        return;
    }
    if (LLVMIsAGlobalVariable(constant)) {
        reach_global(reach, constant);
        return;
    }
    if (LLVMIsABlockAddress(constant)) {
        LLVMBasicBlockRef block = LLVMGetBlockAddressBasicBlock(constant);
        if (!handle_known(reach->lowering->labels, block)) {
            handle_set(reach->lowering->labels, block, ++reach->lowering->labels_count);
        }
        reach_function(reach, LLVMGetBlockAddressFunction(constant));
        return;
    }
    int operands = LLVMIsAUser(constant) ? LLVMGetNumOperands(constant) : 0;
    if (operands == 0 || !handle_add(reach->seen, constant)) {
        return;
    }
    for (int i = 0; i < operands; i++) {
        reach_constant(reach, LLVMGetOperand(constant, (unsigned)i));
    }
}

/* Do instructions replace the function, so that calling it needs no function in the program? */
static bool is_lowered(LLVMValueRef callee) {
    const char *name = name_of(callee);
    return LLVMIsDeclaration(callee) &&
           (starts_with(name, "llvm.") || starts_with(name, "picket.") || library_knows(name));
}

static void reach_instruction(struct reach *reach, LLVMValueRef instruction) {
    LLVMValueRef callee = LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
    bool lowered = callee != NULL && LLVMIsAFunction(callee) && is_lowered(callee);
    int operands = LLVMGetNumOperands(instruction);
    if (lowered && (starts_with(name_of(callee), "llvm.dbg") || starts_with(name_of(callee), "llvm.var.annotation"))) {
        return;
    }
    reach->user = instruction;
    for (int i = 0; i < operands; i++) {
        LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
        if ((operand == callee && lowered && i == operands - 1) || !LLVMIsAConstant(operand)) {
            continue;
        }
        reach_constant(reach, operand);
    }
}

static void reach_body(struct reach *reach, LLVMValueRef function) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            reach_instruction(reach, i);
        }
    }
}

/* Continues to a fixpoint; the bytes of a global may reach more functions. */
static void reach_all(struct reach *reach) {
    size_t globals = 0;
    while (reach->functions.count > 0 || globals < reach->globals.count) {
        if (reach->functions.count > 0) {
            LLVMValueRef f = *(LLVMValueRef *)vector_at(&reach->functions, --reach->functions.count);
            reach_body(reach, f);
        } else {
            LLVMValueRef g = *(LLVMValueRef *)vector_at(&reach->globals, globals++);
            reach->user = g;
            reach_constant(reach, LLVMGetInitializer(g));
        }
    }
}

static void global_fill(struct lowering *lowering, LLVMValueRef global) {
    LLVMValueRef initializer = LLVMGetInitializer(global);
    if (LLVMIsNull(initializer) || LLVMIsUndef(initializer)) {
        return;
    }
    uint64_t size = LLVMABISizeOfType(lowering->layout, LLVMGlobalGetValueType(global));
    /* 16 more, because the last scalar may be wider in LLVM's constants than in memory. */
    uint8_t *bytes = memory_allocate(size + 16);
    struct vector relocations;
    vector_init(&relocations, sizeof(uint64_t));
    constant_bytes(lowering, initializer, bytes, 0, &relocations);
    while (size > 0 && bytes[size - 1] == 0) {
        size--;
    }
    uint32_t index = (uint32_t)*handle_find(lowering->globals, global);
    builder_global_bytes(lowering->builder, index, bytes, size);
    for (size_t i = 0; i < relocations.count; i++) {
        builder_global_relocation(lowering->builder, index, *(uint64_t *)vector_at(&relocations, i));
    }
    vector_delete(&relocations);
    free(bytes);
}

void lowering_reach(struct lowering *lowering) {
    struct reach reach = {.lowering = lowering, .seen = hash_table_new()};
    vector_init(&reach.functions, sizeof(LLVMValueRef));
    vector_init(&reach.globals, sizeof(LLVMValueRef));
    LLVMValueRef main_function = LLVMGetNamedFunction(lowering->module, "main");
    if (main_function == NULL || LLVMIsDeclaration(main_function)) {
        size_t length = 0;
        diagnostics_add(lowering->diagnostics, LLVMGetSourceFileName(lowering->module, &length), 0, 0,
                        "no function main");
    } else {
        reach_function(&reach, main_function);
    }
    static const char *const lists[] = {"llvm.global_ctors", "llvm.global_dtors"};
    for (size_t i = 0; i < 2; i++) {
        LLVMValueRef list = LLVMGetNamedGlobal(lowering->module, lists[i]);
        if (list != NULL && LLVMGetInitializer(list) != NULL) {
            reach.user = list;
            reach_constant(&reach, LLVMGetInitializer(list));
        }
    }
    static const char *const endings[] = {"atexit", "exit"};
    LLVMValueRef handlers = LLVMGetNamedFunction(lowering->module, "atexit");
    for (size_t i = 0; handlers != NULL && !LLVMIsDeclaration(handlers) && i < 2; i++) {
        reach.user = NULL;
        reach_function(&reach, LLVMGetNamedFunction(lowering->module, endings[i]));
    }
    reach_all(&reach);
    for (size_t i = 0; i < reach.globals.count; i++) {
        global_fill(lowering, *(LLVMValueRef *)vector_at(&reach.globals, i));
    }
    hash_table_free(reach.seen);
    vector_delete(&reach.functions);
    vector_delete(&reach.globals);
}
