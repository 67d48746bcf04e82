/* Memory: locals, address computation, loads, stores, atomic operations, fences.
 *
 * A plain access of a value that is no 1, 2, 4 or 8 bytes long is split into such pieces, ascending.  Atomic accesses
 * are never split. */
#include <stddef.h>

#include "front/c_expand.h"
#include "front/c_walk.h"

static enum order order_of(LLVMAtomicOrdering ordering) {
    switch (ordering) {
    case LLVMAtomicOrderingNotAtomic:
        return ORDER_PLAIN;
    case LLVMAtomicOrderingAcquire:
        return ORDER_ACQUIRE;
    case LLVMAtomicOrderingRelease:
        return ORDER_RELEASE;
    case LLVMAtomicOrderingAcquireRelease:
        return ORDER_ACQ_REL;
    case LLVMAtomicOrderingSequentiallyConsistent:
        return ORDER_SEQ_CST;
    default:
        return ORDER_RELAXED;
    }
}

static uint32_t largest_piece(uint32_t rest) {
    return rest >= 8 ? 8 : rest >= 4 ? 4 : rest >= 2 ? 2 : 1;
}

static void emit_load(struct walk *walk, struct access access, uint32_t address, uint32_t bytes, uint32_t dst) {
    walk_emit(walk, (struct instruction){.op = OP_LOAD,
                                         .width = (uint8_t)bytes,
                                         .sub = access.order,
                                         .flags = access.flags,
                                         .dst = dst,
                                         .a = address});
}

/* A seq_cst store is a release store followed by a full fence. */
static void emit_store(struct walk *walk, struct access access, uint32_t address, uint32_t bytes, uint32_t value) {
    bool fenced = access.order == ORDER_SEQ_CST;
    walk_emit(walk, (struct instruction){.op = OP_STORE,
                                         .width = (uint8_t)bytes,
                                         .sub = fenced ? ORDER_RELEASE : access.order,
                                         .flags = access.flags,
                                         .a = address,
                                         .b = value});
    if (fenced) {
        walk_emit(walk, (struct instruction){.op = OP_FENCE, .sub = ORDER_SEQ_CST});
    }
}

/* Up to 8 bytes into one register. */
static void load_word(struct walk *walk, struct access access, uint64_t offset, uint32_t bits, uint32_t dst) {
    uint32_t bytes = (bits + 7) / 8;
    if (largest_piece(bytes) == bytes) {
        uint32_t loaded = bits % 8 == 0 ? dst : walk_registers(walk, 1);
        emit_load(walk, access, walk_add(walk, access.address, offset), bytes, loaded);
        if (loaded != dst) {
            walk_emit(walk, (struct instruction){.op = OP_TRUNC, .width = (uint8_t)bits, .dst = dst, .a = loaded});
        }
        return;
    }
    uint32_t sum = NO_REGISTER;
    for (uint32_t done = 0, piece = 0; done < bytes; done += piece) {
        piece = largest_piece(bytes - done);
        uint32_t part = walk_registers(walk, 1);
        emit_load(walk, access, walk_add(walk, access.address, offset + done), piece, part);
        if (done > 0) {
            part = walk_binary(walk, OP_SHL, 64, part, walk_constant(walk, UINT64_C(8) * done));
        }
        sum = sum == NO_REGISTER ? part : walk_binary(walk, OP_OR, 64, sum, part);
    }
    if (bits < 64) {
        walk_emit(walk, (struct instruction){.op = OP_TRUNC, .width = (uint8_t)bits, .dst = dst, .a = sum});
    } else {
        walk_move(walk, dst, sum);
    }
}

static void store_word(struct walk *walk, struct access access, uint64_t offset, uint32_t bits, uint32_t value) {
    uint32_t bytes = (bits + 7) / 8;
    for (uint32_t done = 0, piece = 0; done < bytes; done += piece) {
        piece = largest_piece(bytes - done);
        uint32_t part = value;
        if (done > 0) {
            part = walk_binary(walk, OP_LSHR, 64, value, walk_constant(walk, UINT64_C(8) * done));
        }
        if (piece < 8 && piece < bytes) {
            part = walk_unary(walk, OP_TRUNC, piece * 8, 0, part);
        }
        emit_store(walk, access, walk_add(walk, access.address, offset + done), piece, part);
    }
}

void walk_load(struct walk *walk, struct access access, LLVMTypeRef type, uint32_t dst) {
    struct vector leaves;
    vector_init(&leaves, sizeof(struct leaf));
    type_leaves(walk->layout, type, &leaves);
    for (size_t i = 0; i < leaves.count; i++) {
        const struct leaf *leaf = vector_at(&leaves, i);
        uint32_t reg = dst + leaf->first;
        if (leaf->width == 128 && access.order != ORDER_PLAIN) {
            emit_load(walk, access, access.address, 16, reg);
        } else {
            load_word(walk, access, leaf->offset, leaf->width > 64 ? 64 : leaf->width, reg);
            if (leaf->width > 64) {
                load_word(walk, access, leaf->offset + 8, leaf->width - 64, reg + 1);
            }
        }
    }
    vector_delete(&leaves);
}

void walk_store(struct walk *walk, struct access access, LLVMTypeRef type, uint32_t value) {
    struct vector leaves;
    vector_init(&leaves, sizeof(struct leaf));
    type_leaves(walk->layout, type, &leaves);
    for (size_t i = 0; i < leaves.count; i++) {
        const struct leaf *leaf = vector_at(&leaves, i);
        uint32_t operand = value + leaf->first;
        if (leaf->width == 128 && access.order != ORDER_PLAIN) {
            emit_store(walk, access, access.address, 16, operand);
        } else {
            store_word(walk, access, leaf->offset, leaf->width > 64 ? 64 : leaf->width, operand);
            if (leaf->width > 64) {
                store_word(walk, access, leaf->offset + 8, leaf->width - 64, operand + 1);
            }
        }
    }
    vector_delete(&leaves);
}

/* Names what is accessed in the position of the instructions that follow. */
static void name_access(struct walk *walk, LLVMValueRef instruction, LLVMValueRef pointer, LLVMTypeRef type) {
    char name[128];
    debug_access_name(&walk->debug, pointer, LLVMABISizeOfType(walk->layout, type), name, sizeof name);
    if (*name != 0) {
        walk->pos = debug_position(&walk->debug, instruction, name);
    }
}

static struct access access_of(struct walk *walk, LLVMValueRef instruction, LLVMValueRef pointer,
                               LLVMAtomicOrdering ordering) {
    struct access access = {.address = walk_value(walk, pointer), .order = (uint8_t)order_of(ordering)};
    access.flags = (uint8_t)((access.order != ORDER_PLAIN ? INSTRUCTION_ATOMIC : 0) |
                             (access_is_volatile(instruction) ? INSTRUCTION_VOLATILE : 0));
    return access;
}

/* Bytes of an atomic access, 0 with an error if they are not a power of two up to 16. */
static uint32_t atomic_bytes(struct walk *walk, LLVMTypeRef type) {
    uint64_t bytes = LLVMABISizeOfType(walk->layout, type);
    if (LLVMGetTypeKind(type) == LLVMX86_FP80TypeKind || bytes > 16 || (bytes & (bytes - 1)) != 0) {
        walk_unsupported(walk, "an atomic access of this size", NULL);
        return 0;
    }
    return (uint32_t)bytes;
}

static void load(struct walk *walk, LLVMValueRef instruction) {
    LLVMValueRef pointer = LLVMGetOperand(instruction, 0);
    LLVMTypeRef type = LLVMTypeOf(instruction);
    name_access(walk, instruction, pointer, type);
    struct access access = access_of(walk, instruction, pointer, LLVMGetOrdering(instruction));
    if (access.order == ORDER_PLAIN || atomic_bytes(walk, type) != 0) {
        walk_load(walk, access, type, walk_result(walk, instruction));
    }
}

static void store(struct walk *walk, LLVMValueRef instruction) {
    LLVMValueRef value = LLVMGetOperand(instruction, 0);
    LLVMValueRef pointer = LLVMGetOperand(instruction, 1);
    LLVMTypeRef type = LLVMTypeOf(value);
    name_access(walk, instruction, pointer, type);
    struct access access = access_of(walk, instruction, pointer, LLVMGetOrdering(instruction));
    if (access.order == ORDER_PLAIN || atomic_bytes(walk, type) != 0) {
        walk_store(walk, access, type, walk_value(walk, value));
    }
}

static const int8_t rmw_kinds[] = {
    [LLVMAtomicRMWBinOpXchg] = RMW_XCHG, [LLVMAtomicRMWBinOpAdd] = RMW_ADD,   [LLVMAtomicRMWBinOpSub] = RMW_SUB,
    [LLVMAtomicRMWBinOpAnd] = RMW_AND,   [LLVMAtomicRMWBinOpNand] = RMW_NAND, [LLVMAtomicRMWBinOpOr] = RMW_OR,
    [LLVMAtomicRMWBinOpXor] = RMW_XOR,   [LLVMAtomicRMWBinOpMax] = RMW_SMAX,  [LLVMAtomicRMWBinOpMin] = RMW_SMIN,
    [LLVMAtomicRMWBinOpUMax] = RMW_UMAX, [LLVMAtomicRMWBinOpUMin] = RMW_UMIN, [LLVMAtomicRMWBinOpFAdd] = RMW_FADD,
    [LLVMAtomicRMWBinOpFSub] = RMW_FSUB, [LLVMAtomicRMWBinOpFMax] = RMW_FMAX, [LLVMAtomicRMWBinOpFMin] = RMW_FMIN,
};

static void read_modify_write(struct walk *walk, LLVMValueRef instruction) {
    LLVMValueRef pointer = LLVMGetOperand(instruction, 0);
    LLVMTypeRef type = LLVMTypeOf(instruction);
    unsigned operation = (unsigned)LLVMGetAtomicRMWBinOp(instruction);
    uint32_t bytes = atomic_bytes(walk, type);
    if (operation >= sizeof rmw_kinds || bytes == 0) {
        walk_unsupported(walk, "an atomic operation", NULL);
        return;
    }
    name_access(walk, instruction, pointer, type);
    struct access access = access_of(walk, instruction, pointer, LLVMGetOrdering(instruction));
    uint32_t value = walk_value(walk, LLVMGetOperand(instruction, 1));
    walk_emit(walk, (struct instruction){.op = OP_RMW,
                                         .width = (uint8_t)bytes,
                                         .sub = access.order,
                                         .flags = access.flags,
                                         .dst = walk_result(walk, instruction),
                                         .a = access.address,
                                         .b = value,
                                         .c = (uint32_t)rmw_kinds[operation]});
}

static void compare_and_swap(struct walk *walk, LLVMValueRef instruction) {
    LLVMValueRef pointer = LLVMGetOperand(instruction, 0);
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(instruction, 1));
    uint32_t bytes = atomic_bytes(walk, type);
    if (bytes == 0) {
        return;
    }
    name_access(walk, instruction, pointer, type);
    struct access access = access_of(walk, instruction, pointer, LLVMGetCmpXchgSuccessOrdering(instruction));
    uint32_t expected = walk_value(walk, LLVMGetOperand(instruction, 1));
    uint32_t desired = walk_value(walk, LLVMGetOperand(instruction, 2));
    walk_emit(walk, (struct instruction){.op = OP_CAS,
                                         .width = (uint8_t)bytes,
                                         .sub = access.order,
                                         .flags = access.flags,
                                         .dst = walk_result(walk, instruction),
                                         .a = access.address,
                                         .b = expected,
                                         .c = desired});
}

static void fence(struct walk *walk, LLVMValueRef instruction) {
    if (!LLVMIsAtomicSingleThread(instruction)) {
        walk_emit(walk, (struct instruction){.op = OP_FENCE, .sub = (uint8_t)order_of(LLVMGetOrdering(instruction))});
    }
}

static void local(struct walk *walk, LLVMValueRef instruction) {
    LLVMValueRef count = LLVMGetOperand(instruction, 0);
    uint64_t size = LLVMABISizeOfType(walk->layout, LLVMGetAllocatedType(instruction));
    uint32_t bytes = 0;
    if (LLVMIsAConstantInt(count)) {
        size *= LLVMConstIntGetZExtValue(count);
        bytes = walk_constant(walk, size == 0 ? 1 : size);
    } else {
        bytes = walk_binary(walk, OP_MUL, 64, walk_value(walk, count), walk_constant(walk, size));
    }
    walk->pos = debug_local_position(&walk->debug, instruction);
    unsigned alignment = LLVMGetAlignment(instruction);
    bool is_private = escapes_is_private(&walk->escapes, instruction);
    walk_emit(walk, (struct instruction){.op = OP_ALLOCA,
                                         .flags = is_private ? INSTRUCTION_PRIVATE : 0,
                                         .dst = walk_result(walk, instruction),
                                         .a = bytes,
                                         .b = alignment == 0 ? 1 : alignment,
                                         .c = debug_object_type(&walk->debug, instruction)});
}

static void element_pointer(struct walk *walk, LLVMValueRef instruction) {
    if (LLVMGetTypeKind(LLVMTypeOf(instruction)) == LLVMVectorTypeKind) {
        walk_unsupported(walk, "vectors of addresses", NULL);
        return;
    }
    struct vector steps;
    vector_init(&steps, sizeof(struct gep_step));
    gep_steps(walk->layout, instruction, &steps);
    uint32_t address = walk_value(walk, LLVMGetOperand(instruction, 0));
    uint64_t offset = 0;
    for (size_t i = 0; i < steps.count; i++) {
        const struct gep_step *step = vector_at(&steps, i);
        if (step->index == NULL) {
            offset += (uint64_t)step->scale;
            continue;
        }
        uint32_t index = walk_value(walk, step->index);
        uint32_t width = type_width(LLVMTypeOf(step->index));
        if (width < 64) {
            index = walk_unary(walk, OP_SEXT, width, 64, index);
        }
        if (step->scale != 1) {
            index = walk_binary(walk, OP_MUL, 64, index, walk_constant(walk, (uint64_t)step->scale));
        }
        address = walk_binary(walk, OP_ADD, 64, address, index);
    }
    vector_delete(&steps);
    walk_alias(walk, instruction, walk_add(walk, address, offset));
}

bool walk_memory(struct walk *walk, LLVMValueRef instruction) {
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMAlloca:
        local(walk, instruction);
        return true;
    case LLVMGetElementPtr:
        element_pointer(walk, instruction);
        return true;
    case LLVMLoad:
        load(walk, instruction);
        return true;
    case LLVMStore:
        store(walk, instruction);
        return true;
    case LLVMAtomicRMW:
        read_modify_write(walk, instruction);
        return true;
    case LLVMAtomicCmpXchg:
        compare_and_swap(walk, instruction);
        return true;
    case LLVMFence:
        fence(walk, instruction);
        return true;
    default:
        return false;
    }
}
