/* What the program can reach: functions and globals, found from the entry through calls and every mention of an
 * address, and declared in the program so that their addresses are known.  What is mentioned but defined nowhere is an
 * error that names it and its user. */
#include <stdlib.h>
#include <string.h>

#include "front/c_link.h"
#include "front/c_map.h"
#include "front/c_metadata.h"
#include "front/c_walk.h"
#include "front/library.h"
#include "util/memory.h"

struct reach {
    struct walk *walk;
    struct hash_table *seen; /* constants */
    struct vector functions; /* of LLVMValueRef, to be looked through */
    struct vector globals;   /* of LLVMValueRef, to be given bytes */
    LLVMValueRef user;       /* the instruction that is looked at, or the global whose bytes are */
};

static const char *name_of(LLVMValueRef value) {
    size_t length = 0;
    return LLVMGetValueName2(value, &length);
}

static bool starts_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

static void report_undefined(struct reach *reach, LLVMValueRef missing, const char *what) {
    static const char *const jumps[] = {"setjmp",  "_setjmp",    "sigsetjmp", "__sigsetjmp",
                                        "longjmp", "siglongjmp", "_longjmp",  "__longjmp_chk"};
    struct walk *walk = reach->walk;
    const char *name = name_of(missing);
    for (size_t i = 0; i < sizeof jumps / sizeof *jumps; i++) {
        if (strcmp(name, jumps[i]) == 0) {
            debug_error(&walk->debug, walk->diagnostics, reach->user, "not supported: %s", name);
            return;
        }
    }
    const char *user = "";
    if (reach->user != NULL) {
        user = LLVMIsAInstruction(reach->user) ? name_of(LLVMGetBasicBlockParent(LLVMGetInstructionParent(reach->user)))
                                               : name_of(reach->user);
    }
    debug_error(&walk->debug, walk->diagnostics, reach->user, "undefined %s '%s', used by '%s'", what, name, user);
}

static uint32_t function_parameters(LLVMValueRef function) {
    uint32_t count = 0;
    for (LLVMValueRef p = LLVMGetFirstParam(function); p; p = LLVMGetNextParam(p)) {
        count += type_registers(LLVMTypeOf(p));
    }
    return count + (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function)) ? 1 : 0);
}

static bool signature_supported(struct walk *walk, LLVMValueRef function) {
    LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(function));
    LLVMTypeRef bad = type_supported(result) ? NULL : result;
    for (LLVMValueRef p = LLVMGetFirstParam(function); p && bad == NULL; p = LLVMGetNextParam(p)) {
        bad = type_supported(LLVMTypeOf(p)) ? NULL : LLVMTypeOf(p);
    }
    if (bad == NULL) {
        return true;
    }
    char *text = LLVMPrintTypeToString(bad);
    debug_error(&walk->debug, walk->diagnostics, function, "not supported: type %s, in the function '%s'", text,
                name_of(function));
    LLVMDisposeMessage(text);
    return false;
}

static void reach_function(struct reach *reach, LLVMValueRef function) {
    struct walk *walk = reach->walk;
    const char *name = name_of(function);
    if (handle_known(walk->functions, function)) {
        return;
    }
    if (LLVMIsDeclaration(function) && !library_knows(name)) {
        if (LLVMGetLinkage(function) != LLVMExternalWeakLinkage && handle_add(reach->seen, function)) {
            report_undefined(reach, function, "function");
        }
        return;
    }
    if (!signature_supported(walk, function)) {
        return;
    }
    uint32_t results = type_registers(LLVMGetReturnType(LLVMGlobalGetValueType(function)));
    LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
    const char *given = subprogram == NULL ? NULL : node_text(walk->context, subprogram, 2);
    uint32_t flags = c_from_library(function) ? FUNCTION_LIBRARY | (library_is_whole(name) ? FUNCTION_WHOLE : 0) : 0;
    uint32_t index =
        builder_function(walk->builder, given == NULL ? name : given, function_parameters(function), results, flags);
    builder_function_at(walk->builder, index)->pos = debug_function_position(&walk->debug, function);
    handle_set(walk->functions, function, index);
    vector_push(&walk->order, &function);
    vector_push(&reach->functions, &function);
}

static void reach_global(struct reach *reach, LLVMValueRef global) {
    struct walk *walk = reach->walk;
    if (handle_known(walk->globals, global)) {
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
        flags |= GLOBAL_THREAD_LOCAL | (escapes_is_private(&walk->escapes, global) ? GLOBAL_PRIVATE : 0);
    }
    const char *given = debug_object_name(&walk->debug, global);
    uint64_t size = LLVMABISizeOfType(walk->layout, LLVMGlobalGetValueType(global));
    unsigned alignment = LLVMGetAlignment(global);
    uint32_t index = builder_global(walk->builder, given == NULL || *given == 0 ? name_of(global) : given, size,
                                    alignment == 0 ? 1 : alignment, flags);
    uint32_t type = debug_object_type(&walk->debug, global);
    uint32_t pos = debug_global_position(&walk->debug, global);
    builder_global_at(walk->builder, index)->type = type;
    builder_global_at(walk->builder, index)->pos = pos;
    handle_set(walk->globals, global, index);
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
        if (!handle_known(reach->walk->labels, block)) {
            handle_set(reach->walk->labels, block, ++reach->walk->labels_count);
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

/* Is the function done by instructions, so that calling it needs no function in the program? */
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

/* Goes on until nothing new is found; finding more in a global's bytes may reach more functions. */
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

static void global_fill(struct walk *walk, LLVMValueRef global) {
    LLVMValueRef initializer = LLVMGetInitializer(global);
    if (LLVMIsNull(initializer) || LLVMIsUndef(initializer)) {
        return;
    }
    uint64_t size = LLVMABISizeOfType(walk->layout, LLVMGlobalGetValueType(global));
    /* 16 more, because the last scalar may be wider in LLVM's constants than where it lies. */
    uint8_t *bytes = memory_allocate(size + 16);
    struct vector relocations;
    vector_init(&relocations, sizeof(uint64_t));
    constant_bytes(walk, initializer, bytes, 0, &relocations);
    while (size > 0 && bytes[size - 1] == 0) {
        size--;
    }
    uint32_t index = (uint32_t)*handle_find(walk->globals, global);
    builder_global_bytes(walk->builder, index, bytes, size);
    for (size_t i = 0; i < relocations.count; i++) {
        builder_global_relocation(walk->builder, index, *(uint64_t *)vector_at(&relocations, i));
    }
    vector_delete(&relocations);
    free(bytes);
}

void walk_reach(struct walk *walk) {
    struct reach reach = {.walk = walk, .seen = hash_table_new()};
    vector_init(&reach.functions, sizeof(LLVMValueRef));
    vector_init(&reach.globals, sizeof(LLVMValueRef));
    LLVMValueRef main_function = LLVMGetNamedFunction(walk->module, "main");
    if (main_function == NULL || LLVMIsDeclaration(main_function)) {
        size_t length = 0;
        diagnostics_add(walk->diagnostics, LLVMGetSourceFileName(walk->module, &length), 0, 0, "no function main");
    } else {
        reach_function(&reach, main_function);
    }
    static const char *const lists[] = {"llvm.global_ctors", "llvm.global_dtors"};
    for (size_t i = 0; i < 2; i++) {
        LLVMValueRef list = LLVMGetNamedGlobal(walk->module, lists[i]);
        if (list != NULL && LLVMGetInitializer(list) != NULL) {
            reach.user = list;
            reach_constant(&reach, LLVMGetInitializer(list));
        }
    }
    static const char *const endings[] = {"atexit", "exit"};
    LLVMValueRef handlers = LLVMGetNamedFunction(walk->module, "atexit");
    for (size_t i = 0; handlers != NULL && !LLVMIsDeclaration(handlers) && i < 2; i++) {
        reach.user = NULL;
        reach_function(&reach, LLVMGetNamedFunction(walk->module, endings[i]));
    }
    reach_all(&reach);
    for (size_t i = 0; i < reach.globals.count; i++) {
        global_fill(walk, *(LLVMValueRef *)vector_at(&reach.globals, i));
    }
    hash_table_free(reach.seen);
    vector_delete(&reach.functions);
    vector_delete(&reach.globals);
}
