/* LLVM's own passes inline small callees and promote private locals to registers.
 *
 * The passes must not change an access to memory that may be shared, so every access that is not clearly one to a local
 * is volatile for them (metadata marks those that are volatile in the source).  They must not see undefined values
 * either, because they would fold them: every local that they may promote is initialised, right where it is made, with
 * the result of an opaque function; a local too large for that is kept in memory by a call that takes its address. */
#include "front/c_locals.h"

#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>
#include <string.h>

#include "front/c_arguments.h"
#include "front/c_conditions.h"
#include "front/c_escape.h"
#include "front/c_expand.h"
#include "front/c_link.h"
#include "front/c_lowering.h"
#include "front/c_map.h"
#include "front/c_metadata.h"
#include "front/c_types.h"
#include "front/library.h"
#include "util/memory.h"
#include "util/vector.h"

#define INLINE_OWN_LIMIT 40u    /* instructions of a callee's own */
#define INLINE_TOTAL_LIMIT 160u /* with those of the callees inlined into it */
#define SCALARS_LIMIT 32u       /* scalars of a local that may be promoted */

static const char keep_name[] = "picket.keep";

static bool starts_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

static const char *value_name(LLVMValueRef value) {
    size_t length = 0;
    return LLVMGetValueName2(value, &length);
}

/* The name of the function that an instruction calls directly, or "". */
static const char *called_name(LLVMValueRef instruction) {
    if (!LLVMIsACallInst(instruction)) {
        return "";
    }
    LLVMValueRef callee = LLVMGetCalledValue(instruction);
    return LLVMIsAFunction(callee) ? value_name(callee) : "";
}

/* Visits every instruction; `visit` may remove the present one. */
static void each_instruction(LLVMModuleRef module, void (*visit)(LLVMValueRef, void *), void *data) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            LLVMValueRef next = NULL;
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = next) {
                next = LLVMGetNextInstruction(i);
                visit(i, data);
            }
        }
    }
}

static void attribute_remove(LLVMValueRef function, const char *name) {
    LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                   LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

static bool attribute_has(LLVMValueRef function, const char *name) {
    return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                       LLVMGetEnumAttributeKindForName(name, strlen(name))) != NULL;
}

static void attribute_add(LLVMValueRef function, const char *name) {
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(context, LLVMGetEnumAttributeKindForName(name, strlen(name)), 0));
}

static void functions_prepare(LLVMModuleRef module) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f)) {
            continue;
        }
        /* clang marks everything noinline at -O0, so the mark does not come from the source. */
        attribute_remove(f, "noinline");
        attribute_remove(f, "optnone");
        /* What c_start.c calls, and the functions that replace copies later. */
        static const char *const kept[] = {"main",           "exit", "atexit", "__picket_memcpy", "__picket_memmove",
                                           "__picket_memset"};
        bool keep = false;
        for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
            keep = keep || strcmp(value_name(f), kept[i]) == 0;
        }
        LLVMSetLinkage(f, keep ? LLVMExternalLinkage : LLVMInternalLinkage);
    }
}

static void atomic_call(LLVMBuilderRef builder, LLVMModuleRef module, LLVMValueRef before, const char *name) {
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(LLVMGetModuleContext(module)), NULL, 0, 0);
    LLVMValueRef function = LLVMGetNamedFunction(module, name);
    if (function == NULL) {
        function = LLVMAddFunction(module, name, type);
    }
    LLVMPositionBuilderBefore(builder, before);
    LLVMBuildCall2(builder, type, function, NULL, 0, "");
}

/* SV-COMP: the body of a function whose name begins with __VERIFIER_atomic_ is an atomic section. */
static void atomic_functions_wrap(LLVMModuleRef module, LLVMBuilderRef builder) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        const char *name = value_name(f);
        if (LLVMIsDeclaration(f) || c_from_library(f) || !starts_with(name, "__VERIFIER_atomic_") ||
            strcmp(name, "__VERIFIER_atomic_begin") == 0 || strcmp(name, "__VERIFIER_atomic_end") == 0) {
            continue;
        }
        LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f));
        while (LLVMIsAAllocaInst(first)) {
            first = LLVMGetNextInstruction(first);
        }
        atomic_call(builder, module, first, "__picket_atomic_begin");
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
            if (LLVMIsAReturnInst(last)) {
                atomic_call(builder, module, last, "__picket_atomic_end");
            }
        }
    }
}

static LLVMValueRef access_pointer(LLVMValueRef instruction) {
    if (LLVMIsALoadInst(instruction)) {
        return LLVMGetOperand(instruction, 0);
    }
    return LLVMIsAStoreInst(instruction) ? LLVMGetOperand(instruction, 1) : NULL;
}

static void volatile_remember(LLVMValueRef instruction, void *data) {
    (void)data;
    if ((access_pointer(instruction) != NULL || LLVMIsAAtomicRMWInst(instruction) ||
         LLVMIsAAtomicCmpXchgInst(instruction)) &&
        LLVMGetVolatile(instruction)) {
        access_mark_volatile(instruction);
    }
}

static void volatile_protect(LLVMValueRef instruction, void *data) {
    LLVMValueRef pointer = access_pointer(instruction);
    if (pointer != NULL) {
        int64_t offset = 0;
        LLVMSetVolatile(instruction, !LLVMIsAAllocaInst(pointer_base(data, pointer, &offset)));
    }
}

struct marker {
    struct hash_table *declarations; /* local -> its declaration */
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMTargetDataRef layout;
    LLVMBuilderRef builder;
};

/* A declared function whose name ends in its type, so that there is one per type. */
static LLVMValueRef opaque_function(struct marker *marker, const char *name, LLVMTypeRef type, unsigned arguments,
                                    LLVMTypeRef *function_type) {
    LLVMTypeRef parameters[] = {type, type};
    char *text = LLVMPrintTypeToString(type);
    char *full = memory_format("%s%s", name, text);
    *function_type = LLVMFunctionType(type, parameters, arguments, 0);
    LLVMValueRef function = LLVMGetNamedFunction(marker->module, full);
    if (function == NULL) {
        function = LLVMAddFunction(marker->module, full, *function_type);
        attribute_add(function, "nounwind");
        if (arguments < 2) {
            /* Only a division must remain if its result is unused. */
            attribute_add(function, "willreturn");
            attribute_add(function, "memory"); /* 0: none */
        }
    }
    free(full);
    LLVMDisposeMessage(text);
    return function;
}

static bool constant_between(LLVMValueRef value, uint64_t low, uint64_t high) {
    return LLVMIsAConstantInt(value) && type_width(LLVMTypeOf(value)) <= 64 && LLVMConstIntGetZExtValue(value) >= low &&
           LLVMConstIntGetZExtValue(value) <= high;
}

static void division_hide(struct marker *marker, LLVMValueRef division, const char *name) {
    LLVMTypeRef type = LLVMTypeOf(division);
    LLVMValueRef operands[] = {LLVMGetOperand(division, 0), LLVMGetOperand(division, 1)};
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || constant_between(operands[1], 1, INT8_MAX)) {
        return;
    }
    LLVMTypeRef function_type = NULL;
    LLVMValueRef function = opaque_function(marker, name, type, 2, &function_type);
    LLVMPositionBuilderBefore(marker->builder, division);
    LLVMReplaceAllUsesWith(division, LLVMBuildCall2(marker->builder, function_type, function, operands, 2, ""));
    LLVMInstructionEraseFromParent(division);
}

static void operand_hide(struct marker *marker, LLVMValueRef instruction, unsigned operand) {
    LLVMValueRef value = LLVMGetOperand(instruction, operand);
    LLVMTypeRef type = NULL;
    LLVMValueRef function = opaque_function(marker, OPAQUE_NAME, LLVMTypeOf(value), 1, &type);
    LLVMPositionBuilderBefore(marker->builder, instruction);
    LLVMSetOperand(instruction, operand, LLVMBuildCall2(marker->builder, type, function, &value, 1, ""));
}

/* The inliner folds what it can when arguments are constants, also what C leaves undefined: divisions that fail, shifts
 * and conversions out of range.  So these are hidden from it. */
static void undefined_hide(LLVMValueRef instruction, void *data) {
    struct marker *marker = data;
    LLVMTypeRef type = LLVMTypeOf(instruction);
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMUDiv:
        division_hide(marker, instruction, DIVIDE_NAME "udiv.");
        break;
    case LLVMSDiv:
        division_hide(marker, instruction, DIVIDE_NAME "sdiv.");
        break;
    case LLVMURem:
        division_hide(marker, instruction, DIVIDE_NAME "urem.");
        break;
    case LLVMSRem:
        division_hide(marker, instruction, DIVIDE_NAME "srem.");
        break;
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
        if (!constant_between(LLVMGetOperand(instruction, 1), 0, type_width(type) - 1)) {
            operand_hide(marker, instruction, 1);
        }
        break;
    case LLVMFPToSI:
    case LLVMFPToUI:
        operand_hide(marker, instruction, 0);
        break;
    default:
        break;
    }
}

struct scalar {
    LLVMTypeRef type;
    uint64_t offset;
};

/* The scalars (and vectors) of a type; stops early if there are too many. */
static void scalars_append(struct marker *marker, LLVMTypeRef type, uint64_t offset, struct vector *scalars) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMStructTypeKind) {
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) {
            scalars_append(marker, LLVMStructGetTypeAtIndex(type, i),
                           offset + LLVMOffsetOfElement(marker->layout, type, i), scalars);
        }
    } else if (kind == LLVMArrayTypeKind) {
        LLVMTypeRef element = LLVMGetElementType(type);
        uint64_t stride = LLVMABISizeOfType(marker->layout, element);
        for (uint64_t i = 0; i < LLVMGetArrayLength2(type) && scalars->count <= SCALARS_LIMIT; i++) {
            scalars_append(marker, element, offset + i * stride, scalars);
        }
    } else {
        struct scalar scalar = {.type = type, .offset = offset};
        vector_push(scalars, &scalar);
    }
}

static bool has_computed_index(LLVMTargetDataRef layout, LLVMValueRef pointer) {
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        int64_t offset = 0;
        if (LLVMIsAGetElementPtrInst(user) &&
            (!gep_constant(layout, user, &offset) || has_computed_index(layout, user))) {
            return true;
        }
    }
    return false;
}

static void local_keep(struct marker *marker, LLVMValueRef local) {
    LLVMTypeRef pointer = LLVMPointerTypeInContext(marker->context, 0);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(marker->context), &pointer, 1, 0);
    LLVMValueRef function = LLVMGetNamedFunction(marker->module, keep_name);
    if (function == NULL) {
        function = LLVMAddFunction(marker->module, keep_name, type);
        attribute_add(function, "nounwind");
        attribute_add(function, "willreturn");
    }
    LLVMBuildCall2(marker->builder, type, function, &local, 1, "");
}

static void declaration_note(LLVMValueRef instruction, void *data) {
    const struct marker *marker = data;
    LLVMValueRef local = node_described(instruction);
    if (local && !handle_known(marker->declarations, local)) {
        handle_set(marker->declarations, local, (uint64_t)(uintptr_t)LLVMInstructionGetDebugLoc(instruction));
    }
}

/* The declaration of the local, NULL if unknown. */
static LLVMMetadataRef declaration_of(const struct marker *marker, LLVMValueRef local) {
    const uint64_t *known = handle_find(marker->declarations, local);
    return known ? (LLVMMetadataRef)(uintptr_t)*known : NULL;
}

static void local_mark(LLVMValueRef local, void *data) {
    struct marker *marker = data;
    LLVMBasicBlockRef block = LLVMIsAAllocaInst(local) ? LLVMGetInstructionParent(local) : NULL;
    if (block == NULL || block != LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(block)) ||
        !LLVMIsAConstantInt(LLVMGetOperand(local, 0))) {
        return;
    }
    struct vector scalars;
    vector_init(&scalars, sizeof(struct scalar));
    scalars_append(marker, LLVMGetAllocatedType(local), 0, &scalars);
    LLVMPositionBuilderBefore(marker->builder, LLVMGetNextInstruction(local));
    LLVMSetCurrentDebugLocation2(marker->builder, declaration_of(marker, local));
    if (scalars.count > SCALARS_LIMIT || LLVMConstIntGetZExtValue(LLVMGetOperand(local, 0)) != 1 ||
        has_computed_index(marker->layout, local)) {
        local_keep(marker, local);
    } else {
        /* The name of the variable is part of it, for reports; LLVM may put a number after the dot. */
        char *name = memory_format("%s.", value_name(local));
        for (size_t i = 0; i < scalars.count; i++) {
            const struct scalar *scalar = vector_at(&scalars, i);
            LLVMTypeRef type = NULL;
            LLVMValueRef function = opaque_function(marker, UNINIT_NAME, scalar->type, 0, &type);
            LLVMValueRef value = LLVMBuildCall2(marker->builder, type, function, NULL, 0, name);
            LLVMValueRef location = local;
            if (scalar->offset != 0) {
                LLVMValueRef index = LLVMConstInt(LLVMInt64TypeInContext(marker->context), scalar->offset, 0);
                location = LLVMBuildInBoundsGEP2(marker->builder, LLVMInt8TypeInContext(marker->context), local, &index,
                                                 1, "");
            }
            LLVMBuildStore(marker->builder, value, location);
        }
        free(name);
    }
    vector_delete(&scalars);
}

/* Removes the rest of the marks of locals that stay in memory.  In a function's entry block, memory is fresh anyway;
 * marks elsewhere come from inlined functions, whose locals are used again. */
static void mark_remove(LLVMValueRef instruction, void *data) {
    if (strcmp(called_name(instruction), keep_name) == 0) {
        LLVMInstructionEraseFromParent(instruction);
        return;
    }
    LLVMBasicBlockRef block = LLVMGetInstructionParent(instruction);
    int64_t offset = 0;
    if (LLVMIsAStoreInst(instruction) && starts_with(called_name(LLVMGetOperand(instruction, 0)), UNINIT_NAME) &&
        block == LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(block)) &&
        LLVMIsAAllocaInst(pointer_base(data, LLVMGetOperand(instruction, 1), &offset))) {
        LLVMInstructionEraseFromParent(instruction);
    }
}

/* Decides which functions are inlined, callees first, so that sizes are known. */
struct inliner {
    const struct escapes *escapes;
    struct hash_table *sizes; /* of functions that are decided; VISITING while that is in progress */
    struct hash_table *recursive;
    bool any;
};

#define VISITING UINT64_MAX

static uint64_t inliner_size(struct inliner *inliner, LLVMValueRef function);

/* The number of instructions that compute the value of an annotation. */
static uint64_t argument_size(LLVMValueRef note) {
    uint64_t size = 0;
    LLVMValueRef value = LLVMGetArgOperand(note, 1);
    while (LLVMIsAInstruction(value) && (LLVMIsACastInst(value) || LLVMIsALoadInst(value))) {
        size++;
        value = LLVMGetOperand(value, 0);
    }
    return size;
}

/* Adds up a function's own instructions and those that will be inlined into it; false if it cannot be inlined.  A local
 * that is kept in memory must be fresh in every call, which it would not be in the caller.  Annotations do not count:
 * the program must be the same without them. */
static bool function_measure(struct inliner *inliner, LLVMValueRef function, uint64_t *own, uint64_t *total) {
    bool possible = true;
    bool noting = false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
            const char *name = called_name(i);
            if (strcmp(name, "__picket_note") == 0) {
                uint64_t before = argument_size(i);
                *own -= before;
                *total -= before;
                noting = true;
            }
            bool annotates = noting;
            noting = noting && strcmp(name, "__picket_noted") != 0;
            if (annotates) {
                continue;
            }
            if (opcode == LLVMAlloca) {
                possible = possible && b == LLVMGetEntryBasicBlock(function);
            } else if (opcode == LLVMIndirectBr || opcode == LLVMCallBr ||
                       (strcmp(name, keep_name) == 0 && !attribute_has(function, "alwaysinline"))) {
                possible = false;
            } else if (!starts_with(name, "llvm.dbg") && !starts_with(name, "picket.")) {
                ++*own;
                ++*total;
            }
            if (opcode == LLVMCall && LLVMIsAFunction(LLVMGetCalledValue(i)) &&
                !LLVMIsDeclaration(LLVMGetCalledValue(i))) {
                *total += inliner_size(inliner, LLVMGetCalledValue(i));
            }
        }
    }
    return possible;
}

/* The size of an inlined call of the function; 0 if it stays a call. */
static uint64_t inliner_size(struct inliner *inliner, LLVMValueRef function) {
    const uint64_t *known = handle_find(inliner->sizes, function);
    if (known != NULL) {
        if (*known == VISITING) {
            handle_add(inliner->recursive, function);
            return 0;
        }
        return *known;
    }
    handle_set(inliner->sizes, function, VISITING);
    uint64_t own = 0;
    uint64_t total = 0;
    bool possible = function_measure(inliner, function, &own, &total);
    bool wanted = attribute_has(function, "alwaysinline");
    bool small = own <= INLINE_OWN_LIMIT && total <= INLINE_TOTAL_LIMIT;
    /* A local that outlives its function must stay a local of that function, or its end would be lost. */
    possible = possible && !handle_known(inliner->recursive, function) &&
               !LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function)) && !attribute_has(function, "returns_twice") &&
               (wanted || (small && !escapes_shares_locals(inliner->escapes, function))) &&
               strcmp(value_name(function), "main") != 0 && !library_is_whole(value_name(function));
    if (possible) {
        attribute_add(function, "alwaysinline");
        inliner->any = true;
    } else {
        attribute_remove(function, "alwaysinline");
        attribute_add(function, "noinline");
    }
    handle_set(inliner->sizes, function, possible ? total : 0);
    return possible ? total : 0;
}

static bool functions_choose(LLVMModuleRef module) {
    struct escapes escapes;
    escapes_init(&escapes, module);
    struct inliner inliner = {.escapes = &escapes, .sizes = hash_table_new(), .recursive = hash_table_new()};
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f)) {
            inliner_size(&inliner, f);
        }
    }
    hash_table_free(inliner.sizes);
    hash_table_free(inliner.recursive);
    escapes_delete(&escapes);
    return inliner.any;
}

static bool passes_run(LLVMModuleRef module, const char *passes, struct diagnostics *diagnostics) {
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(module, passes, NULL, options);
    LLVMDisposePassBuilderOptions(options);
    if (error == NULL) {
        return true;
    }
    char *message = LLVMGetErrorMessage(error);
    diagnostics_add(diagnostics, NULL, 0, 0, "LLVM's passes failed: %s", message);
    LLVMDisposeErrorMessage(message);
    return false;
}

bool c_locals(LLVMModuleRef module, LLVMTargetDataRef layout, struct diagnostics *diagnostics) {
    LLVMContextRef context = LLVMGetModuleContext(module);
    struct marker marker = {.module = module,
                            .context = context,
                            .layout = layout,
                            .builder = LLVMCreateBuilderInContext(context),
                            .declarations = hash_table_new()};
    functions_prepare(module);
    c_arguments(module, layout);
    each_instruction(module, volatile_remember, NULL);
    c_expand(module, layout, true);
    atomic_functions_wrap(module, marker.builder);
    each_instruction(module, volatile_protect, layout);
    each_instruction(module, layout_mark, NULL);
    each_instruction(module, declaration_note, &marker);
    each_instruction(module, local_mark, &marker);
    each_instruction(module, undefined_hide, &marker);
    hash_table_free(marker.declarations);
    LLVMDisposeBuilder(marker.builder);
    if (!passes_run(module, "function(sroa<preserve-cfg>)", diagnostics)) {
        return false;
    }
    if (functions_choose(module)) {
        if (!passes_run(module, "always-inline", diagnostics)) {
            return false;
        }
        c_expand(module, layout, true);
        each_instruction(module, volatile_protect, layout);
        if (!passes_run(module, "function(sroa<preserve-cfg>)", diagnostics)) {
            return false;
        }
    }
    c_conditions(module);
    each_instruction(module, mark_remove, layout);
    c_expand(module, layout, false);
    return true;
}

bool c_locals_is_mark(LLVMValueRef value) {
    return LLVMIsACallInst(value) && starts_with(called_name(value), UNINIT_NAME);
}
