/* Copies of memory become accesses of at most 8 bytes.
 *
 * A copy or fill of constant size up to EXPAND_LIMIT becomes a sequence of accesses in ascending order, each of the
 * largest of 8, 4, 2, 1 bytes that the address and the rest allow.  If size or alignment are unknown, a function of
 * Picket's C library does the same at run time. */
#include "front/c_expand.h"

#include <assert.h>
#include <string.h>

#include "front/c_types.h"
#include "util/memory.h"
#include "util/vector.h"

#define EXPAND_LIMIT 128u
#define OBJECT_ALIGNMENT 4096u

static const char volatile_mark[] = "picket.volatile";

static unsigned volatile_kind(LLVMValueRef access) {
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(access));
    return LLVMGetMDKindIDInContext(context, volatile_mark, sizeof volatile_mark - 1);
}

void access_mark_volatile(LLVMValueRef access) {
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(access));
    LLVMSetMetadata(access, volatile_kind(access),
                    LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, NULL, 0)));
}

bool access_is_volatile(LLVMValueRef access) {
    return LLVMHasMetadata(access) && LLVMGetMetadata(access, volatile_kind(access)) != NULL;
}

static const char *callee_name(LLVMValueRef call) {
    size_t length = 0;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
}

static bool starts_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

static bool uses_are_simple(LLVMValueRef pointer) {
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsALoadInst(user)) {
            continue;
        }
        if (LLVMIsAStoreInst(user)) {
            if (LLVMGetOperand(user, 0) == pointer) {
                return false;
            }
        } else if (LLVMIsAGetElementPtrInst(user)) {
            if (!uses_are_simple(user)) {
                return false;
            }
        } else if (!LLVMIsACallInst(user) ||
                   !(starts_with(callee_name(user), "llvm.mem") || starts_with(callee_name(user), "llvm.lifetime"))) {
            return false;
        }
    }
    return true;
}

bool local_is_simple(LLVMValueRef local) {
    return LLVMIsAAllocaInst(local) && uses_are_simple(local);
}

/* One end of a copy. */
struct location {
    LLVMValueRef pointer;
    uint64_t alignment; /* known, of the pointer */
    bool local;         /* in a local whose address is used for accesses only */
    bool object;        /* at a known offset of a known object, so that its alignment is known exactly */
};

static uint64_t lowest_bit(uint64_t number) {
    return number & (0 - number);
}

static struct location location_of(LLVMTargetDataRef layout, LLVMValueRef call, unsigned argument) {
    struct location location = {.pointer = LLVMGetArgOperand(call, argument), .alignment = 1};
    unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call, argument + 1, kind);
    if (attribute != NULL) {
        location.alignment = LLVMGetEnumAttributeValue(attribute);
    }
    int64_t offset = 0;
    LLVMValueRef base = pointer_base(layout, location.pointer, &offset);
    if (LLVMIsAAllocaInst(base) || LLVMIsAGlobalVariable(base)) {
        location.alignment = lowest_bit((uint64_t)offset | OBJECT_ALIGNMENT);
        location.object = true;
        location.local = local_is_simple(base);
    }
    return location;
}

static unsigned largest_piece(uint64_t rest) {
    return rest >= 8 ? 8 : rest >= 4 ? 4 : rest >= 2 ? 2 : 1;
}

/* Do the known properties determine the sizes of the pieces?  Pieces in a simple local do not matter. */
static bool location_decides(const struct location *location, uint64_t size) {
    return location->local || location->object || location->alignment >= largest_piece(size);
}

static unsigned piece_at(uint64_t alignment, uint64_t offset, uint64_t size) {
    uint64_t allowed = lowest_bit(alignment | offset);
    unsigned piece = largest_piece(size - offset);
    while (piece > allowed) {
        piece /= 2;
    }
    return piece;
}

struct copy {
    LLVMBuilderRef builder;
    LLVMContextRef context;
    LLVMValueRef call;
    bool is_volatile;
};

static LLVMValueRef address_at(const struct copy *copy, LLVMValueRef pointer, uint64_t offset) {
    if (offset == 0) {
        return pointer;
    }
    LLVMValueRef index = LLVMConstInt(LLVMInt64TypeInContext(copy->context), offset, 0);
    return LLVMBuildInBoundsGEP2(copy->builder, LLVMInt8TypeInContext(copy->context), pointer, &index, 1, "");
}

static void access_finish(const struct copy *copy, LLVMValueRef access) {
    LLVMSetAlignment(access, 1);
    if (copy->is_volatile) {
        access_mark_volatile(access);
    }
}

static LLVMValueRef piece_load(const struct copy *copy, LLVMValueRef pointer, uint64_t offset, unsigned piece) {
    LLVMValueRef load = LLVMBuildLoad2(copy->builder, LLVMIntTypeInContext(copy->context, piece * 8),
                                       address_at(copy, pointer, offset), "");
    access_finish(copy, load);
    return load;
}

static void piece_store(const struct copy *copy, LLVMValueRef pointer, uint64_t offset, LLVMValueRef value) {
    access_finish(copy, LLVMBuildStore(copy->builder, value, address_at(copy, pointer, offset)));
}

static void expand_copy(const struct copy *copy, const struct location *to, const struct location *from, uint64_t size,
                        bool overlapping) {
    uint64_t alignment = to->local ? from->alignment : to->alignment;
    if (!from->local && from->alignment < alignment) {
        alignment = from->alignment;
    }
    /* One move of a complete scalar into or out of a local, as every compiler makes it from the usual memcpy idiom. */
    if ((to->local || from->local) && largest_piece(size) == size) {
        alignment = size;
    }
    LLVMValueRef values[EXPAND_LIMIT];
    unsigned count = 0;
    for (uint64_t offset = 0, piece = 0; offset < size; offset += piece) {
        piece = piece_at(alignment, offset, size);
        values[count] = piece_load(copy, from->pointer, offset, (unsigned)piece);
        if (!overlapping) {
            piece_store(copy, to->pointer, offset, values[count]);
        }
        count++;
    }
    if (!overlapping) {
        return;
    }
    /* The ends overlap: everything is read before anything is written. */
    count = 0;
    for (uint64_t offset = 0, piece = 0; offset < size; offset += piece) {
        piece = piece_at(alignment, offset, size);
        piece_store(copy, to->pointer, offset, values[count++]);
    }
}

/* The byte repeated over a piece. */
static LLVMValueRef fill_value(const struct copy *copy, LLVMValueRef byte, unsigned piece) {
    assert(piece > 0 && "pieces are not empty");
    LLVMTypeRef type = LLVMIntTypeInContext(copy->context, piece * 8);
    uint64_t ones = UINT64_C(0x0101010101010101) >> (64 - 8 * piece);
    if (LLVMIsAConstantInt(byte)) {
        return LLVMConstInt(type, ones * LLVMConstIntGetZExtValue(byte), 0);
    }
    LLVMValueRef wide = LLVMBuildZExt(copy->builder, byte, type, "");
    return LLVMBuildMul(copy->builder, wide, LLVMConstInt(type, ones, 0), "");
}

static void expand_fill(const struct copy *copy, const struct location *to, LLVMValueRef byte, uint64_t size) {
    for (uint64_t offset = 0, piece = 0; offset < size; offset += piece) {
        piece = piece_at(to->local ? 8 : to->alignment, offset, size);
        piece_store(copy, to->pointer, offset, fill_value(copy, byte, (unsigned)piece));
    }
}

/* Calls the library's function, which decides by the address at run time. */
static void expand_call(const struct copy *copy, const char *name) {
    LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(copy->call)));
    LLVMValueRef function = LLVMGetNamedFunction(module, name);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(copy->context, 0);
    LLVMTypeRef word = LLVMInt64TypeInContext(copy->context);
    bool fill = strcmp(name, "__picket_memset") == 0;
    LLVMTypeRef parameters[] = {pointer, fill ? LLVMInt32TypeInContext(copy->context) : pointer, word};
    LLVMTypeRef type = LLVMFunctionType(pointer, parameters, 3, 0);
    if (function == NULL) {
        function = LLVMAddFunction(module, name, type);
    }
    LLVMValueRef second = LLVMGetArgOperand(copy->call, 1);
    LLVMValueRef arguments[] = {LLVMGetArgOperand(copy->call, 0),
                                fill ? LLVMBuildZExt(copy->builder, second, parameters[1], "") : second,
                                LLVMBuildZExt(copy->builder, LLVMGetArgOperand(copy->call, 2), word, "")};
    LLVMBuildCall2(copy->builder, type, function, arguments, 3, "");
}

/* Are source and target parts of one object that are known to overlap without being equal? */
static bool copies_over_itself(LLVMTargetDataRef layout, LLVMValueRef call, uint64_t size) {
    int64_t offsets[2] = {0, 0};
    LLVMValueRef bases[] = {pointer_base(layout, LLVMGetArgOperand(call, 0), &offsets[0]),
                            pointer_base(layout, LLVMGetArgOperand(call, 1), &offsets[1])};
    uint64_t distance = (uint64_t)offsets[0] - (uint64_t)offsets[1];
    return bases[0] == bases[1] && distance != 0 && (distance < size || -distance < size);
}

static void expand_one(LLVMBuilderRef builder, LLVMTargetDataRef layout, LLVMValueRef call, bool keep_local) {
    const char *name = callee_name(call);
    bool fill = starts_with(name, "llvm.memset");
    bool move = starts_with(name, "llvm.memmove");
    LLVMValueRef size_value = LLVMGetArgOperand(call, 2);
    bool constant = LLVMIsAConstantInt(size_value) != NULL;
    uint64_t size = constant ? LLVMConstIntGetZExtValue(size_value) : 0;
    struct location to = location_of(layout, call, 0);
    struct location from = fill ? to : location_of(layout, call, 1);
    if (keep_local && constant && to.local && from.local) {
        return;
    }
    struct copy copy = {.builder = builder,
                        .context = LLVMGetTypeContext(LLVMTypeOf(call)),
                        .call = call,
                        .is_volatile = LLVMConstIntGetZExtValue(LLVMGetArgOperand(call, 3)) != 0};
    LLVMPositionBuilderBefore(builder, call);
    bool scalar = (to.local || from.local) && largest_piece(size) == size;
    bool overlap = constant && !fill && !move && copies_over_itself(layout, call, size); /* for the library to report */
    if (constant && !overlap && size <= EXPAND_LIMIT &&
        (scalar || (location_decides(&to, size) && location_decides(&from, size)))) {
        if (fill) {
            expand_fill(&copy, &to, LLVMGetArgOperand(call, 1), size);
        } else {
            expand_copy(&copy, &to, &from, size, move);
        }
    } else {
        expand_call(&copy, fill ? "__picket_memset" : move ? "__picket_memmove" : "__picket_memcpy");
    }
    LLVMInstructionEraseFromParent(call);
}

void c_expand(LLVMModuleRef module, LLVMTargetDataRef layout, bool keep_local) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    struct vector calls;
    vector_init(&calls, sizeof(LLVMValueRef));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        size_t length = 0;
        const char *name = LLVMGetValueName2(f, &length);
        if (starts_with(name, "llvm.memcpy") || starts_with(name, "llvm.memmove") || starts_with(name, "llvm.memset")) {
            for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use)) {
                LLVMValueRef call = LLVMGetUser(use);
                if (LLVMIsACallInst(call)) {
                    vector_push(&calls, &call);
                }
            }
        }
    }
    for (size_t i = 0; i < calls.count; i++) {
        expand_one(builder, layout, *(LLVMValueRef *)vector_at(&calls, i), keep_local);
    }
    vector_delete(&calls);
    LLVMDisposeBuilder(builder);
}
