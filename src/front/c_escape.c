/* The locals and thread-local variables that no other thread can ever access.
 *
 * The flow of every parameter is a summary (does it escape, is it returned) that callers use; summaries start with
 * "neither" and grow to a fixpoint. */
#include "front/c_escape.h"

#include <string.h>

#include "front/c_link.h"
#include "front/c_map.h"
#include "front/library.h"
#include "util/vector.h"

enum flow { FLOW_ESCAPES = 1, FLOW_RETURNED = 2 };

/* The values that may hold the address of one object. */
struct trace {
    const struct escapes *escapes;
    struct hash_table *seen;
    struct vector pending; /* of LLVMValueRef */
    unsigned flow;
};

static void trace_add(struct trace *trace, LLVMValueRef value) {
    if (handle_add(trace->seen, value)) {
        vector_push(&trace->pending, &value);
    }
}

static unsigned flow_of(const struct escapes *escapes, LLVMValueRef value) {
    const uint64_t *flow = handle_find(escapes->flows, value);
    return flow == NULL ? 0 : (unsigned)*flow;
}

static bool starts_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

/* Finds all loads from a local, if its address is used for nothing but accesses.  Then a value stored there is read by
 * these loads only. */
static bool local_loads(LLVMValueRef pointer, struct vector *loads) {
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsALoadInst(user)) {
            vector_push(loads, &user);
        } else if (LLVMIsAGetElementPtrInst(user)) {
            if (!local_loads(user, loads)) {
                return false;
            }
        } else if (LLVMIsAStoreInst(user)) {
            if (LLVMGetOperand(user, 0) == pointer) {
                return false;
            }
        } else if (LLVMIsACallInst(user)) {
            size_t length = 0;
            LLVMValueRef callee = LLVMGetCalledValue(user);
            if (!LLVMIsAFunction(callee) || !starts_with(LLVMGetValueName2(callee, &length), "llvm.lifetime")) {
                return false;
            }
        } else if (!LLVMIsAICmpInst(user)) {
            return false;
        }
    }
    return true;
}

static LLVMValueRef local_base(LLVMValueRef pointer) {
    while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsABitCastInst(pointer)) {
        pointer = LLVMGetOperand(pointer, 0);
    }
    return pointer;
}

/* The address is stored at `pointer`. */
static void trace_stored(struct trace *trace, LLVMValueRef pointer) {
    LLVMValueRef base = local_base(pointer);
    struct vector loads;
    vector_init(&loads, sizeof(LLVMValueRef));
    if (LLVMIsAAllocaInst(base) && local_loads(base, &loads)) {
        for (size_t i = 0; i < loads.count; i++) {
            trace_add(trace, *(LLVMValueRef *)vector_at(&loads, i));
        }
    } else {
        trace->flow |= FLOW_ESCAPES;
    }
    vector_delete(&loads);
}

static bool has_argument_attribute(LLVMValueRef call, unsigned argument, const char *name) {
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    return LLVMGetCallSiteEnumAttribute(call, argument + 1, kind) != NULL;
}

static void trace_intrinsic(struct trace *trace, LLVMValueRef call, const char *name) {
    static const char *const harmless[] = {"llvm.lifetime", "llvm.dbg",     "llvm.va_",          "llvm.objectsize",
                                           "llvm.prefetch", "llvm.mem",     "llvm.assume",       "llvm.invariant",
                                           "llvm.is.",      "llvm.clear_c", "llvm.stackrestore", "llvm.var.annotation"};
    static const char *const passing[] = {"llvm.threadlocal.address",
                                          "llvm.ptrmask",
                                          "llvm.ptr.annotation",
                                          "llvm.launder",
                                          "llvm.strip",
                                          "llvm.expect",
                                          "llvm.ssa.copy"};
    for (size_t i = 0; i < sizeof passing / sizeof *passing; i++) {
        if (starts_with(name, passing[i])) {
            trace_add(trace, call);
            return;
        }
    }
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++) {
        if (starts_with(name, harmless[i])) {
            return;
        }
    }
    trace->flow |= FLOW_ESCAPES;
}

/* The address is passed as this argument of a function. */
static void trace_parameter(struct trace *trace, LLVMValueRef call, LLVMValueRef callee, unsigned argument) {
    size_t length = 0;
    const char *name = LLVMGetValueName2(callee, &length);
    if (LLVMIsDeclaration(callee)) {
        if (!library_knows(name) || library_captures(name, argument)) {
            trace->flow |= FLOW_ESCAPES;
        }
        return;
    }
    if (argument >= LLVMCountParams(callee)) {
        /* A variable argument: the library's functions only format them. */
        trace->flow |= c_from_library(callee) ? 0 : FLOW_ESCAPES;
        return;
    }
    unsigned flow = flow_of(trace->escapes, LLVMGetParam(callee, argument));
    trace->flow |= flow & FLOW_ESCAPES;
    if (flow & FLOW_RETURNED) {
        trace_add(trace, call);
    }
}

static void trace_argument(struct trace *trace, LLVMValueRef call, unsigned argument) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMIsAInlineAsm(callee)) {
        if (!has_argument_attribute(call, argument, "elementtype")) {
            trace->flow |= FLOW_ESCAPES;
        }
        return;
    }
    if (has_argument_attribute(call, argument, "byval")) {
        return;
    }
    if (!LLVMIsAFunction(callee)) {
        /* A call through a pointer may be one of any function whose address is taken. */
        for (size_t i = 0; i < trace->escapes->targets.count; i++) {
            trace_parameter(trace, call, *(LLVMValueRef *)vector_at(&trace->escapes->targets, i), argument);
        }
        return;
    }
    size_t length = 0;
    const char *name = LLVMGetValueName2(callee, &length);
    if (starts_with(name, "llvm.")) {
        trace_intrinsic(trace, call, name);
    } else if (starts_with(name, "picket.")) {
        /* A function that hides an operation passes its operands on (c_locals.c). */
        trace_add(trace, call);
    } else {
        trace_parameter(trace, call, callee, argument);
    }
}

static void trace_use(struct trace *trace, LLVMValueRef value, LLVMValueRef user) {
    if (LLVMIsAConstant(user)) {
        if (LLVMIsAConstantExpr(user)) {
            trace_add(trace, user);
        } else {
            trace->flow |= FLOW_ESCAPES;
        }
        return;
    }
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMLoad:
    case LLVMICmp:
    case LLVMBr:
    case LLVMSwitch:
        return;
    case LLVMStore:
        if (LLVMGetOperand(user, 0) == value) {
            trace_stored(trace, LLVMGetOperand(user, 1));
        }
        return;
    case LLVMAtomicRMW:
        if (LLVMGetOperand(user, 1) == value) {
            trace->flow |= FLOW_ESCAPES;
        }
        return;
    case LLVMAtomicCmpXchg:
        if (LLVMGetOperand(user, 2) == value) {
            trace->flow |= FLOW_ESCAPES;
        }
        return;
    case LLVMRet:
        trace->flow |= FLOW_RETURNED;
        return;
    case LLVMCall:
        for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++) {
            if (LLVMGetArgOperand(user, i) == value) {
                trace_argument(trace, user, i);
            }
        }
        return;
    case LLVMGetElementPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMPHI:
    case LLVMSelect:
    case LLVMFreeze:
    case LLVMInsertValue:
    case LLVMExtractValue:
    case LLVMInsertElement:
    case LLVMExtractElement:
    case LLVMShuffleVector:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
        trace_add(trace, user);
        return;
    default:
        trace->flow |= FLOW_ESCAPES;
    }
}

static unsigned trace_object(const struct escapes *escapes, LLVMValueRef object) {
    struct trace trace = {.escapes = escapes, .seen = hash_table_new()};
    vector_init(&trace.pending, sizeof(LLVMValueRef));
    trace_add(&trace, object);
    while (trace.pending.count > 0 && !(trace.flow & FLOW_ESCAPES)) {
        LLVMValueRef value = *(LLVMValueRef *)vector_at(&trace.pending, --trace.pending.count);
        for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
            trace_use(&trace, value, LLVMGetUser(use));
        }
    }
    vector_delete(&trace.pending);
    hash_table_free(trace.seen);
    return trace.flow;
}

static bool parameters_update(struct escapes *escapes, LLVMModuleRef module) {
    bool changed = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f)) {
            continue;
        }
        for (LLVMValueRef p = LLVMGetFirstParam(f); p; p = LLVMGetNextParam(p)) {
            unsigned before = flow_of(escapes, p);
            if (before & FLOW_ESCAPES) {
                continue;
            }
            unsigned flow = trace_object(escapes, p) | before;
            if (flow != before) {
                handle_set(escapes->flows, p, flow);
                changed = true;
            }
        }
    }
    return changed;
}

/* Is the function used other than by calling it? */
static bool address_taken(LLVMValueRef function) {
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function) {
            return true;
        }
        for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++) {
            if (LLVMGetArgOperand(user, i) == function) {
                return true;
            }
        }
    }
    return false;
}

void escapes_init(struct escapes *escapes, LLVMModuleRef module) {
    escapes->flows = hash_table_new();
    vector_init(&escapes->targets, sizeof(LLVMValueRef));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (address_taken(f)) {
            vector_push(&escapes->targets, &f);
        }
    }
    while (parameters_update(escapes, module)) {
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                if (LLVMIsAAllocaInst(i)) {
                    handle_set(escapes->flows, i, trace_object(escapes, i));
                }
            }
        }
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
        if (LLVMIsThreadLocal(g)) {
            handle_set(escapes->flows, g, trace_object(escapes, g));
        }
    }
}

void escapes_delete(struct escapes *escapes) {
    hash_table_free(escapes->flows);
    vector_delete(&escapes->targets);
}

static const char private_mark[] = "picket.private";

/* Is it an annotation that a local is private? */
static bool is_private_annotation(LLVMValueRef call, LLVMValueRef local) {
    size_t length = 0;
    LLVMValueRef callee = LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
    if (callee == NULL || !LLVMIsAFunction(callee) ||
        !starts_with(LLVMGetValueName2(callee, &length), "llvm.var.annotation") ||
        LLVMGetArgOperand(call, 0) != local) {
        return false;
    }
    LLVMValueRef text = LLVMGetArgOperand(call, 1);
    LLVMValueRef bytes = LLVMIsAGlobalVariable(text) ? LLVMGetInitializer(text) : NULL;
    return bytes != NULL && LLVMIsConstantString(bytes) && strcmp(LLVMGetAsString(bytes, &length), private_mark) == 0;
}

/* Objects that `picket translate` knows to be private although the printed program does not show it. */
static bool is_marked_private(LLVMValueRef object) {
    if (LLVMIsAGlobalVariable(object)) {
        const char *section = LLVMGetSection(object);
        return section != NULL && strcmp(section, private_mark) == 0;
    }
    for (LLVMUseRef use = LLVMGetFirstUse(object); use; use = LLVMGetNextUse(use)) {
        if (is_private_annotation(LLVMGetUser(use), object)) {
            return true;
        }
    }
    return false;
}

bool escapes_is_private(const struct escapes *escapes, LLVMValueRef object) {
    if (is_marked_private(object)) {
        return true;
    }
    const uint64_t *flow = handle_find(escapes->flows, object);
    return flow != NULL && *flow == 0;
}

bool escapes_shares_locals(const struct escapes *escapes, LLVMValueRef function) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMIsAAllocaInst(i) && !escapes_is_private(escapes, i)) {
                return true;
            }
        }
    }
    return false;
}
