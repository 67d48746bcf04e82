/* Arguments that the x86-64 ABI passes in memory.
 *
 * A struct passed by value (LLVM's `byval`) becomes a copy in a local of the caller whose address is passed; a variable
 * argument is not changed, because it is copied into the block (c_calls.c).
 *
 * clang passes a 128-bit integer as two 64-bit halves, but reads it among variable arguments at a 16-byte boundary.
 * The halves are recognised by the local from which they are loaded, so this runs before the promotion of locals. */
#include "front/c_arguments.h"

#include <string.h>

#include "front/c_types.h"
#include "util/vector.h"

static const char aligned_mark[] = "picket-aligned";

static unsigned byval_kind(void) {
    return LLVMGetEnumAttributeKindForName("byval", 5);
}

bool argument_is_aligned(LLVMValueRef call, unsigned argument) {
    return LLVMGetCallSiteStringAttribute(call, argument + 1, aligned_mark, sizeof aligned_mark - 1) != NULL;
}

/* The number of declared arguments of a call; the others are variable. */
static unsigned declared_arguments(LLVMValueRef call) {
    LLVMTypeRef type = LLVMGetCalledFunctionType(call);
    return LLVMIsFunctionVarArg(type) ? LLVMCountParamTypes(type) : LLVMGetNumArgOperands(call);
}

static void argument_copy(LLVMBuilderRef builder, LLVMTargetDataRef layout, LLVMValueRef call, unsigned argument,
                          LLVMTypeRef type) {
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    LLVMContextRef context = LLVMGetTypeContext(type);
    unsigned alignment = LLVMABIAlignmentOfType(layout, type);
    LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
    LLVMSetCurrentDebugLocation2(builder, NULL);
    LLVMValueRef copy = LLVMBuildAlloca(builder, type, "");
    LLVMPositionBuilderBefore(builder, call);
    LLVMBuildMemCpy(builder, copy, alignment, LLVMGetArgOperand(call, argument), alignment,
                    LLVMConstInt(LLVMInt64TypeInContext(context), LLVMABISizeOfType(layout, type), 0));
    LLVMSetArgOperand(call, argument, copy);
    LLVMRemoveCallSiteEnumAttribute(call, argument + 1, byval_kind());
}

/* Is it half of an integer, loaded from `offset` of a local aligned to 16 bytes?  Returns the local. */
static LLVMValueRef integer_half(LLVMTargetDataRef layout, LLVMValueRef value, int64_t offset) {
    if (!LLVMIsALoadInst(value) || type_width(LLVMTypeOf(value)) != 64) {
        return NULL;
    }
    int64_t at = 0;
    LLVMValueRef local = pointer_base(layout, LLVMGetOperand(value, 0), &at);
    if (!LLVMIsAAllocaInst(local) || at != offset) {
        return NULL;
    }
    LLVMTypeRef type = LLVMGetAllocatedType(local);
    return LLVMABIAlignmentOfType(layout, type) == 16 && LLVMABISizeOfType(layout, type) == 16 ? local : NULL;
}

static void variable_arguments_mark(LLVMTargetDataRef layout, LLVMValueRef call) {
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(call));
    for (unsigned i = declared_arguments(call); i + 1 < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef low = integer_half(layout, LLVMGetArgOperand(call, i), 0);
        if (low != NULL && low == integer_half(layout, LLVMGetArgOperand(call, i + 1), 8)) {
            LLVMAddCallSiteAttribute(call, i + 1,
                                     LLVMCreateStringAttribute(context, aligned_mark, sizeof aligned_mark - 1, "", 0));
        }
    }
}

static void call_prepare(LLVMBuilderRef builder, LLVMTargetDataRef layout, LLVMValueRef call) {
    for (unsigned i = 0; i < declared_arguments(call); i++) {
        LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call, i + 1, byval_kind());
        if (attribute != NULL) {
            argument_copy(builder, layout, call, i, LLVMGetTypeAttributeValue(attribute));
        }
    }
    variable_arguments_mark(layout, call);
}

void c_arguments(LLVMModuleRef module, LLVMTargetDataRef layout) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (unsigned i = 0; i < LLVMCountParams(f); i++) {
            LLVMRemoveEnumAttributeAtIndex(f, i + 1, byval_kind());
        }
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                if (LLVMIsACallInst(i) && !LLVMIsAInlineAsm(LLVMGetCalledValue(i))) {
                    call_prepare(builder, layout, i);
                }
            }
        }
    }
    LLVMDisposeBuilder(builder);
}
