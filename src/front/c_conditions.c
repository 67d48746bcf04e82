/* Conditions on nondeterministic values without branches.
 *
 * Assumes that follow a nondeterministic value reduce its domain, and `n >= 0 && n < 4` is such a condition although C
 * evaluates it with a branch:
 *
 *     first:   br c, second, end            first:   v = c & d; br end
 *     second:  d = ...; br end         =>
 *     end:     phi [false, first], [d, second]
 *
 * Only comparisons and arithmetic over results of library functions are evaluated early like this: for other values,
 * `second` may be the block that makes sure they are initialised. */
#include "front/c_conditions.h"

#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <string.h>

#include "front/library.h"

#define CONDITION_DEPTH 8

static bool starts_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

static const char *called_name(LLVMValueRef call) {
    size_t length = 0;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return LLVMIsAFunction(callee) && LLVMIsDeclaration(callee) ? LLVMGetValueName2(callee, &length) : "";
}

static bool is_debug(LLVMValueRef instruction) {
    return LLVMIsACallInst(instruction) && starts_with(called_name(instruction), "llvm.dbg");
}

/* Arithmetic that cannot fail and has no other effect. */
static bool is_harmless(LLVMValueRef instruction) {
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMICmp:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
    case LLVMAdd:
    case LLVMSub:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
        return true;
    default:
        return false;
    }
}

/* Is the value computed from constants and results of library functions alone? */
static bool is_returned(LLVMValueRef value, int depth) {
    if (LLVMIsAConstant(value)) {
        return true;
    }
    if (!LLVMIsAInstruction(value) || depth > CONDITION_DEPTH) {
        return false;
    }
    if (LLVMIsACallInst(value)) {
        return library_knows(called_name(value));
    }
    if (!is_harmless(value)) {
        return false;
    }
    for (int i = 0; i < LLVMGetNumOperands(value); i++) {
        if (!is_returned(LLVMGetOperand(value, (unsigned)i), depth + 1)) {
            return false;
        }
    }
    return true;
}

/* May everything in the block be evaluated before it is known whether the block is reached? */
static bool is_early(LLVMBasicBlockRef block) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (!LLVMIsATerminatorInst(i) && !is_debug(i) && !(is_harmless(i) && is_returned(i, 0))) {
            return false;
        }
    }
    return true;
}

/* The one block that branches to this one, or NULL. */
static LLVMBasicBlockRef only_predecessor(LLVMBasicBlockRef block) {
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    if (use == NULL || LLVMGetNextUse(use) != NULL || !LLVMIsABranchInst(LLVMGetUser(use))) {
        return NULL;
    }
    return LLVMGetInstructionParent(LLVMGetUser(use));
}

static LLVMValueRef incoming(LLVMValueRef phi, LLVMBasicBlockRef from) {
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        if (LLVMGetIncomingBlock(phi, i) == from) {
            return LLVMGetIncomingValue(phi, i);
        }
    }
    return NULL;
}

/* Moves all but the terminator to the end of another block. */
static void move_up(LLVMBuilderRef builder, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
    LLVMValueRef next = NULL;
    for (LLVMValueRef i = LLVMGetFirstInstruction(from); i && !LLVMIsATerminatorInst(i); i = next) {
        next = LLVMGetNextInstruction(i);
        if (is_debug(i)) {
            LLVMInstructionEraseFromParent(i);
            continue;
        }
        LLVMMetadataRef location = LLVMInstructionGetDebugLoc(i);
        LLVMInstructionRemoveFromParent(i);
        LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(to));
        LLVMInsertIntoBuilder(builder, i);
        LLVMInstructionSetDebugLoc(i, location);
    }
}

/* Replaces the phi by one that gets `value` from `first`, and nothing from `second`. */
static void phi_replace(LLVMBuilderRef builder, LLVMValueRef phi, LLVMBasicBlockRef first, LLVMBasicBlockRef second,
                        LLVMValueRef value) {
    LLVMPositionBuilderBefore(builder, phi);
    LLVMValueRef made = LLVMBuildPhi(builder, LLVMTypeOf(phi), "");
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, i);
        LLVMValueRef brought = block == first ? value : LLVMGetIncomingValue(phi, i);
        if (block != second) {
            LLVMAddIncoming(made, &brought, &block, 1);
        }
    }
    bool needed = LLVMCountIncoming(made) > 1;
    LLVMReplaceAllUsesWith(phi, needed ? made : value);
    LLVMInstructionEraseFromParent(phi);
    if (!needed) {
        LLVMInstructionEraseFromParent(made);
    }
}

/* Tries to evaluate `second` early, which removes the block. */
static bool condition_fold(LLVMBuilderRef builder, LLVMBasicBlockRef second) {
    LLVMValueRef leave = LLVMGetBasicBlockTerminator(second);
    LLVMBasicBlockRef first = only_predecessor(second);
    if (!LLVMIsABranchInst(leave) || LLVMIsConditional(leave) || first == NULL || first == second) {
        return false;
    }
    LLVMBasicBlockRef end = LLVMGetSuccessor(leave, 0);
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(first);
    LLVMValueRef phi = LLVMGetFirstInstruction(end);
    if (!LLVMIsConditional(branch) || !LLVMIsAPHINode(phi) || LLVMIsAPHINode(LLVMGetNextInstruction(phi)) ||
        LLVMGetTypeKind(LLVMTypeOf(phi)) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(LLVMTypeOf(phi)) != 1) {
        return false;
    }
    bool both = LLVMGetSuccessor(branch, 0) == second && LLVMGetSuccessor(branch, 1) == end;
    bool either = LLVMGetSuccessor(branch, 1) == second && LLVMGetSuccessor(branch, 0) == end;
    LLVMValueRef shortcut = incoming(phi, first);
    if ((!both && !either) || shortcut == NULL || !LLVMIsAConstantInt(shortcut) ||
        (LLVMConstIntGetZExtValue(shortcut) != 0) != either || !is_returned(LLVMGetCondition(branch), 0) ||
        !is_early(second)) {
        return false;
    }
    LLVMValueRef condition = LLVMGetCondition(branch);
    LLVMValueRef value = incoming(phi, second);
    move_up(builder, second, first);
    LLVMPositionBuilderBefore(builder, branch);
    LLVMValueRef result =
        both ? LLVMBuildAnd(builder, condition, value, "") : LLVMBuildOr(builder, condition, value, "");
    LLVMBuildBr(builder, end);
    LLVMInstructionEraseFromParent(branch);
    phi_replace(builder, phi, first, second, result);
    LLVMDeleteBasicBlock(second);
    return true;
}

void c_conditions(LLVMModuleRef module) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        /* The last condition of a chain is folded first, so the blocks are visited backwards. */
        LLVMBasicBlockRef previous = NULL;
        for (LLVMBasicBlockRef b = LLVMGetLastBasicBlock(f); b; b = previous) {
            previous = LLVMGetPreviousBasicBlock(b);
            condition_fold(builder, b);
        }
    }
    LLVMDisposeBuilder(builder);
}
