/* Finds where a program depends on the addresses of its objects: addresses that become numbers, and the uses of these
 * numbers.
 *
 * A number that was an address is followed from computation to computation.  Converting it back to an address, adding
 * to it, comparing it for equality, and setting or clearing bits that are 0 in every aligned address do not depend on
 * the layout.  Everything else does; numbers in memory are not followed. */
#include "front/c_link.h"
#include "front/c_lowering.h"

#define MOST_STEPS 200u /* computations followed from one address, in total */

/* The numbers whose uses were visited. */
struct followed {
    unsigned count;
    LLVMValueRef numbers[MOST_STEPS];
};

#define NO_BITS UINT64_C(0)
#define ALL_BITS (PAGE_SIZE - 1) /* of the bits that a mask can test */

static uint64_t bits_used(LLVMValueRef number, struct followed *followed);

/* --- Picket's own C library, which does the same wherever objects lie ----------------------------------------------
 */

static unsigned mark_kind(LLVMValueRef instruction) {
    static const char mark[] = "picket.any_layout";
    return LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(instruction)), mark, sizeof mark - 1);
}

void layout_mark(LLVMValueRef instruction, void *data) {
    (void)data;
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
    if ((LLVMIsAPtrToIntInst(instruction) || LLVMIsAICmpInst(instruction)) && c_from_library(function)) {
        LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(instruction));
        LLVMSetMetadata(instruction, mark_kind(instruction),
                        LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, NULL, 0)));
    }
}

static bool is_marked(LLVMValueRef instruction) {
    return LLVMHasMetadata(instruction) && LLVMGetMetadata(instruction, mark_kind(instruction)) != NULL;
}

/* --- What is done with numbers ------------------------------------------------------------------------------------ */

static bool is_number(LLVMValueRef value, uint64_t *number) {
    bool is = LLVMIsAConstantInt(value) && LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64;
    *number = is ? LLVMConstIntGetZExtValue(value) : 0;
    return is;
}

static bool was_address(LLVMValueRef value) {
    return LLVMIsAPtrToIntInst(value) || (LLVMIsConstant(value) && !LLVMIsAConstantInt(value));
}

static uint64_t bits_used_masked(LLVMValueRef user, struct followed *followed) {
    uint64_t mask;
    if (!is_number(LLVMGetOperand(user, 1), &mask) && !is_number(LLVMGetOperand(user, 0), &mask)) {
        return ALL_BITS;
    }
    if (mask < PAGE_SIZE) {
        return mask;
    }
    return ~mask < PAGE_SIZE ? bits_used(user, followed) : ALL_BITS;
}

/* The bits of the number on which this use depends. */
static uint64_t bits_used_by(LLVMValueRef user, LLVMValueRef number, struct followed *followed) {
    uint64_t constant;
    LLVMValueRef other;
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMIntToPtr:
    case LLVMStore:
    case LLVMRet:
    case LLVMAtomicCmpXchg:
    case LLVMAtomicRMW:
        return NO_BITS;
    case LLVMICmp:
        /* A comparison by size is recorded itself. */
        return NO_BITS;
    case LLVMSub:
        other = LLVMGetOperand(user, LLVMGetOperand(user, 0) == number ? 1 : 0);
        return was_address(other) ? NO_BITS : bits_used(user, followed);
    case LLVMAdd:
    case LLVMPHI:
    case LLVMSelect:
    case LLVMFreeze:
        return bits_used(user, followed);
    case LLVMAnd:
        return bits_used_masked(user, followed);
    case LLVMOr:
    case LLVMXor:
        other = LLVMGetOperand(user, LLVMGetOperand(user, 0) == number ? 1 : 0);
        return is_number(other, &constant) && constant < PAGE_SIZE ? bits_used(user, followed) : ALL_BITS;
    case LLVMTrunc:
        return LLVMGetIntTypeWidth(LLVMTypeOf(user)) < 12 ? (UINT64_C(1) << LLVMGetIntTypeWidth(LLVMTypeOf(user))) - 1
                                                          : ALL_BITS;
    case LLVMCall: {
        LLVMValueRef function = LLVMIsAFunction(LLVMGetCalledValue(user));
        return function && !LLVMIsDeclaration(function) && LLVMGetFirstBasicBlock(function) ? ALL_BITS : NO_BITS;
    }
    default:
        return ALL_BITS;
    }
}

static uint64_t bits_used(LLVMValueRef number, struct followed *followed) {
    uint64_t bits = NO_BITS;
    for (unsigned i = 0; i < followed->count; i++) {
        if (followed->numbers[i] == number) {
            return NO_BITS; /* which it adds */
        }
    }
    if (followed->count == MOST_STEPS) {
        return ALL_BITS;
    }
    followed->numbers[followed->count++] = number;
    for (LLVMUseRef use = LLVMGetFirstUse(number); use && bits != ALL_BITS; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bits |= LLVMIsAInstruction(user) ? bits_used_by(user, number, followed) : NO_BITS;
    }
    return bits;
}

void layout_note_constants(struct lowering *lowering, LLVMValueRef instruction) {
    for (int i = 0; i < LLVMGetNumOperands(instruction) && !lowering->printed; i++) {
        LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
        bool number = LLVMIsAConstantExpr(operand) && LLVMGetConstOpcode(operand) == LLVMPtrToInt;
        struct followed followed = {.count = 0};
        uint64_t bits = number && !is_marked(instruction) ? bits_used_by(instruction, operand, &followed) : NO_BITS;
        if (bits != NO_BITS) {
            lowering_assumed(lowering, ASSUMPTION_LAYOUT, lowering_value(lowering, operand),
                             lowering_constant(lowering, bits));
        }
    }
}

void layout_note_number(struct lowering *lowering, LLVMValueRef instruction, uint32_t address) {
    struct followed followed = {.count = 0};
    uint64_t bits = lowering->printed || is_marked(instruction) ? NO_BITS : bits_used(instruction, &followed);
    if (bits != NO_BITS) {
        lowering_assumed(lowering, ASSUMPTION_LAYOUT, address, lowering_constant(lowering, bits));
    }
}

void layout_note_pair(struct lowering *lowering, LLVMValueRef instruction, uint32_t a, uint32_t b) {
    LLVMValueRef first = LLVMGetOperand(instruction, 0);
    LLVMValueRef second = LLVMGetOperand(instruction, 1);
    bool pointers = LLVMGetTypeKind(LLVMTypeOf(first)) == LLVMPointerTypeKind;
    if (!is_marked(instruction) && (pointers || (was_address(first) && was_address(second)))) {
        lowering_assumed(lowering, ASSUMPTION_LAYOUT, a, b);
    }
}
