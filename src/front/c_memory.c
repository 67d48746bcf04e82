/* Memory: locals, address computation, loads, stores, atomic operations, fences.
 *
 * A plain access to a value whose size is not 1, 2, 4 or 8 bytes is split into such pieces, in ascending order.  Atomic
 * accesses are never split. */
#include <stddef.h>

#include "front/c_expand.h"
#include "front/c_locals.h"
#include "front/c_lowering.h"

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

static void emit_load(struct lowering *lowering, struct access access, uint32_t address, uint32_t bytes, uint32_t dst) {
    lowering_emit(lowering, (struct instruction){.op = OP_LOAD,
                                                 .width = (uint8_t)bytes,
                                                 .sub = access.order,
                                                 .flags = access.flags,
                                                 .dst = dst,
                                                 .a = address});
}

/* A seq_cst store is a release store followed by a full fence. */
static void emit_store(struct lowering *lowering, struct access access, uint32_t address, uint32_t bytes,
                       uint32_t value) {
    bool fenced = access.order == ORDER_SEQ_CST;
    lowering_emit(lowering, (struct instruction){.op = OP_STORE,
                                                 .width = (uint8_t)bytes,
                                                 .sub = fenced ? ORDER_RELEASE : access.order,
                                                 .flags = access.flags,
                                                 .a = address,
                                                 .b = value});
    if (fenced) {
        lowering_emit(lowering, (struct instruction){.op = OP_FENCE, .sub = ORDER_SEQ_CST});
    }
}

/* Up to 8 bytes into one register. */
static void load_word(struct lowering *lowering, struct access access, uint64_t offset, uint32_t bits, uint32_t dst) {
    uint32_t bytes = (bits + 7) / 8;
    if (largest_piece(bytes) == bytes) {
        uint32_t loaded = bits % 8 == 0 ? dst : lowering_registers(lowering, 1);
        emit_load(lowering, access, lowering_add(lowering, access.address, offset), bytes, loaded);
        if (loaded != dst) {
            lowering_emit(lowering,
                          (struct instruction){.op = OP_TRUNC, .width = (uint8_t)bits, .dst = dst, .a = loaded});
        }
        return;
    }
    uint32_t sum = NO_REGISTER;
    for (uint32_t done = 0, piece = 0; done < bytes; done += piece) {
        piece = largest_piece(bytes - done);
        uint32_t part = lowering_registers(lowering, 1);
        emit_load(lowering, access, lowering_add(lowering, access.address, offset + done), piece, part);
        if (done > 0) {
            part = lowering_binary(lowering, OP_SHL, 64, part, lowering_constant(lowering, UINT64_C(8) * done));
        }
        sum = sum == NO_REGISTER ? part : lowering_binary(lowering, OP_OR, 64, sum, part);
    }
    if (bits < 64) {
        lowering_emit(lowering, (struct instruction){.op = OP_TRUNC, .width = (uint8_t)bits, .dst = dst, .a = sum});
    } else {
        lowering_move(lowering, dst, sum);
    }
}

static void store_word(struct lowering *lowering, struct access access, uint64_t offset, uint32_t bits,
                       uint32_t value) {
    uint32_t bytes = (bits + 7) / 8;
    for (uint32_t done = 0, piece = 0; done < bytes; done += piece) {
        piece = largest_piece(bytes - done);
        uint32_t part = value;
        if (done > 0) {
            part = lowering_binary(lowering, OP_LSHR, 64, value, lowering_constant(lowering, UINT64_C(8) * done));
        }
        if (piece < 8 && piece < bytes) {
            part = lowering_unary(lowering, OP_TRUNC, piece * 8, 0, part);
        }
        emit_store(lowering, access, lowering_add(lowering, access.address, offset + done), piece, part);
    }
}

void lowering_load(struct lowering *lowering, struct access access, LLVMTypeRef type, uint32_t dst) {
    struct vector leaves;
    vector_init(&leaves, sizeof(struct leaf));
    type_leaves(lowering->layout, type, &leaves);
    for (size_t i = 0; i < leaves.count; i++) {
        const struct leaf *leaf = vector_at(&leaves, i);
        uint32_t reg = dst + leaf->first;
        if (leaf->width == 128 && access.order != ORDER_PLAIN) {
            emit_load(lowering, access, access.address, 16, reg);
        } else {
            load_word(lowering, access, leaf->offset, leaf->width > 64 ? 64 : leaf->width, reg);
            if (leaf->width > 64) {
                load_word(lowering, access, leaf->offset + 8, leaf->width - 64, reg + 1);
            }
        }
    }
    vector_delete(&leaves);
}

void lowering_store(struct lowering *lowering, struct access access, LLVMTypeRef type, uint32_t value) {
    struct vector leaves;
    vector_init(&leaves, sizeof(struct leaf));
    type_leaves(lowering->layout, type, &leaves);
    for (size_t i = 0; i < leaves.count; i++) {
        const struct leaf *leaf = vector_at(&leaves, i);
        uint32_t operand = value + leaf->first;
        if (leaf->width == 128 && access.order != ORDER_PLAIN) {
            emit_store(lowering, access, access.address, 16, operand);
        } else {
            store_word(lowering, access, leaf->offset, leaf->width > 64 ? 64 : leaf->width, operand);
            if (leaf->width > 64) {
                store_word(lowering, access, leaf->offset + 8, leaf->width - 64, operand + 1);
            }
        }
    }
    vector_delete(&leaves);
}

/* Puts the name of what is accessed into the position of the next instructions. */
static void name_access(struct lowering *lowering, LLVMValueRef instruction, LLVMValueRef pointer, LLVMTypeRef type) {
    struct access_name name;
    debug_access_name(&lowering->debug, pointer, LLVMABISizeOfType(lowering->layout, type), &name);
    if (name.text[0] != 0) {
        lowering->pos = debug_position(&lowering->debug, instruction, &name);
    }
}

static struct access access_of(struct lowering *lowering, LLVMValueRef instruction, LLVMValueRef pointer,
                               LLVMAtomicOrdering ordering) {
    struct access access = {.address = lowering_value(lowering, pointer), .order = (uint8_t)order_of(ordering)};
    access.flags = (uint8_t)((access.order != ORDER_PLAIN ? INSTRUCTION_ATOMIC : 0) |
                             (access_is_volatile(instruction) ? INSTRUCTION_VOLATILE : 0));
    return access;
}

/* Bytes of an atomic access, 0 with an error if they are not a power of two up to 16. */
static uint32_t atomic_bytes(struct lowering *lowering, LLVMTypeRef type) {
    uint64_t bytes = LLVMABISizeOfType(lowering->layout, type);
    if (LLVMGetTypeKind(type) == LLVMX86_FP80TypeKind || bytes > 16 || (bytes & (bytes - 1)) != 0) {
        lowering_unsupported(lowering, "an atomic access of this size", NULL);
        return 0;
    }
    return (uint32_t)bytes;
}

static void load(struct lowering *lowering, LLVMValueRef instruction) {
    LLVMValueRef pointer = LLVMGetOperand(instruction, 0);
    LLVMTypeRef type = LLVMTypeOf(instruction);
    name_access(lowering, instruction, pointer, type);
    struct access access = access_of(lowering, instruction, pointer, LLVMGetOrdering(instruction));
    if (access.order == ORDER_PLAIN || atomic_bytes(lowering, type) != 0) {
        lowering_load(lowering, access, type, lowering_result(lowering, instruction));
    }
}

static void store(struct lowering *lowering, LLVMValueRef instruction) {
    LLVMValueRef value = LLVMGetOperand(instruction, 0);
    LLVMValueRef pointer = LLVMGetOperand(instruction, 1);
    LLVMTypeRef type = LLVMTypeOf(value);
    name_access(lowering, instruction, pointer, type);
    struct access access = access_of(lowering, instruction, pointer, LLVMGetOrdering(instruction));
    if (access.order == ORDER_PLAIN || atomic_bytes(lowering, type) != 0) {
        /* The mark of a local that stays in memory is no use of it. */
        int64_t offset = 0;
        bool marks = c_locals_is_mark(value) && LLVMIsAAllocaInst(pointer_base(lowering->layout, pointer, &offset));
        lowering_store(lowering, access, type,
                       marks ? lowering_result(lowering, value) : lowering_value(lowering, value));
    }
}

static const int8_t rmw_kinds[] = {
    [LLVMAtomicRMWBinOpXchg] = RMW_XCHG, [LLVMAtomicRMWBinOpAdd] = RMW_ADD,   [LLVMAtomicRMWBinOpSub] = RMW_SUB,
    [LLVMAtomicRMWBinOpAnd] = RMW_AND,   [LLVMAtomicRMWBinOpNand] = RMW_NAND, [LLVMAtomicRMWBinOpOr] = RMW_OR,
    [LLVMAtomicRMWBinOpXor] = RMW_XOR,   [LLVMAtomicRMWBinOpMax] = RMW_SMAX,  [LLVMAtomicRMWBinOpMin] = RMW_SMIN,
    [LLVMAtomicRMWBinOpUMax] = RMW_UMAX, [LLVMAtomicRMWBinOpUMin] = RMW_UMIN, [LLVMAtomicRMWBinOpFAdd] = RMW_FADD,
    [LLVMAtomicRMWBinOpFSub] = RMW_FSUB, [LLVMAtomicRMWBinOpFMax] = RMW_FMAX, [LLVMAtomicRMWBinOpFMin] = RMW_FMIN,
};

static void read_modify_write(struct lowering *lowering, LLVMValueRef instruction) {
    LLVMValueRef pointer = LLVMGetOperand(instruction, 0);
    LLVMTypeRef type = LLVMTypeOf(instruction);
    unsigned operation = (unsigned)LLVMGetAtomicRMWBinOp(instruction);
    uint32_t bytes = atomic_bytes(lowering, type);
    if (operation >= sizeof rmw_kinds || bytes == 0) {
        lowering_unsupported(lowering, "an atomic operation", NULL);
        return;
    }
    name_access(lowering, instruction, pointer, type);
    struct access access = access_of(lowering, instruction, pointer, LLVMGetOrdering(instruction));
    uint32_t value = lowering_value(lowering, LLVMGetOperand(instruction, 1));
    lowering_emit(lowering, (struct instruction){.op = OP_RMW,
                                                 .width = (uint8_t)bytes,
                                                 .sub = access.order,
                                                 .flags = access.flags,
                                                 .dst = lowering_result(lowering, instruction),
                                                 .a = access.address,
                                                 .b = value,
                                                 .c = (uint32_t)rmw_kinds[operation]});
}

static void compare_and_swap(struct lowering *lowering, LLVMValueRef instruction) {
    LLVMValueRef pointer = LLVMGetOperand(instruction, 0);
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(instruction, 1));
    uint32_t bytes = atomic_bytes(lowering, type);
    if (bytes == 0) {
        return;
    }
    name_access(lowering, instruction, pointer, type);
    struct access access = access_of(lowering, instruction, pointer, LLVMGetCmpXchgSuccessOrdering(instruction));
    uint32_t expected = lowering_value(lowering, LLVMGetOperand(instruction, 1));
    uint32_t desired = lowering_value(lowering, LLVMGetOperand(instruction, 2));
    if (LLVMGetWeak(instruction)) {
        uint32_t lifted = lowering_constant(lowering, lowering->weak_fail);
        lowering_assumed(lowering, ASSUMPTION_WEAK, lifted, lifted);
    }
    lowering_emit(lowering, (struct instruction){.op = OP_CAS,
                                                 .width = (uint8_t)bytes,
                                                 .sub = access.order,
                                                 .flags = access.flags,
                                                 .dst = lowering_result(lowering, instruction),
                                                 .a = access.address,
                                                 .b = expected,
                                                 .c = desired});
}

static void fence(struct lowering *lowering, LLVMValueRef instruction) {
    if (!LLVMIsAtomicSingleThread(instruction)) {
        lowering_emit(lowering,
                      (struct instruction){.op = OP_FENCE, .sub = (uint8_t)order_of(LLVMGetOrdering(instruction))});
    }
}

static void local(struct lowering *lowering, LLVMValueRef instruction) {
    LLVMValueRef count = LLVMGetOperand(instruction, 0);
    uint64_t size = LLVMABISizeOfType(lowering->layout, LLVMGetAllocatedType(instruction));
    uint32_t bytes = 0;
    if (LLVMIsAConstantInt(count)) {
        size *= LLVMConstIntGetZExtValue(count);
        bytes = lowering_constant(lowering, size == 0 ? 1 : size);
    } else {
        bytes =
            lowering_binary(lowering, OP_MUL, 64, lowering_value(lowering, count), lowering_constant(lowering, size));
    }
    lowering->pos = debug_local_position(&lowering->debug, instruction);
    unsigned alignment = LLVMGetAlignment(instruction);
    bool is_private = escapes_is_private(&lowering->escapes, instruction);
    lowering_emit(lowering, (struct instruction){.op = OP_ALLOCA,
                                                 .flags = is_private ? INSTRUCTION_PRIVATE : 0,
                                                 .dst = lowering_result(lowering, instruction),
                                                 .a = bytes,
                                                 .b = alignment == 0 ? 1 : alignment,
                                                 .c = debug_object_type(&lowering->debug, instruction)});
}

static void element_pointer(struct lowering *lowering, LLVMValueRef instruction) {
    if (LLVMGetTypeKind(LLVMTypeOf(instruction)) == LLVMVectorTypeKind) {
        lowering_unsupported(lowering, "vectors of addresses", NULL);
        return;
    }
    struct vector steps;
    vector_init(&steps, sizeof(struct gep_step));
    gep_steps(lowering->layout, instruction, &steps);
    uint32_t address = lowering_value(lowering, LLVMGetOperand(instruction, 0));
    uint64_t offset = 0;
    for (size_t i = 0; i < steps.count; i++) {
        const struct gep_step *step = vector_at(&steps, i);
        if (step->index == NULL) {
            offset += (uint64_t)step->scale;
            continue;
        }
        uint32_t index = lowering_value(lowering, step->index);
        uint32_t width = type_width(LLVMTypeOf(step->index));
        if (width < 64) {
            index = lowering_unary(lowering, OP_SEXT, width, 64, index);
        }
        if (step->scale != 1) {
            index = lowering_binary(lowering, OP_MUL, 64, index, lowering_constant(lowering, (uint64_t)step->scale));
        }
        address = lowering_binary(lowering, OP_ADD, 64, address, index);
    }
    vector_delete(&steps);
    lowering_alias(lowering, instruction, lowering_add(lowering, address, offset));
}

bool lowering_memory(struct lowering *lowering, LLVMValueRef instruction) {
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMAlloca:
        local(lowering, instruction);
        return true;
    case LLVMGetElementPtr:
        element_pointer(lowering, instruction);
        return true;
    case LLVMLoad:
        load(lowering, instruction);
        return true;
    case LLVMStore:
        store(lowering, instruction);
        return true;
    case LLVMAtomicRMW:
        read_modify_write(lowering, instruction);
        return true;
    case LLVMAtomicCmpXchg:
        compare_and_swap(lowering, instruction);
        return true;
    case LLVMFence:
        fence(lowering, instruction);
        return true;
    default:
        return false;
    }
}
