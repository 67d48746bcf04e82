/* Reads of locals that nobody has initialised, which the assumption of that name is about.
 *
 * A local that LLVM has promoted begins as a mark (c_locals.h).  An instruction that reads the mark meets the
 * assumption.  A phi only passes it on: in `T v; while (!pop(&v)) {} use(v);`, once `pop` is inlined, a phi has the
 * mark on a path that never leads to `use`.  So a phi that a mark may reach has a register beside it, its *flag*, which
 * is 0 while its value is a mark and 1 otherwise; an instruction that reads such a phi meets the assumption if the flag
 * is 0 then. */
#include "front/c_locals.h"
#include "front/c_lowering.h"
#include "front/c_map.h"
#include "util/hash_table.h"

static bool mark_reaches(const struct lowering *lowering, LLVMValueRef value) {
    return c_locals_is_mark(value) || handle_known(lowering->flags, value);
}

static bool some_incoming_is_mark(const struct lowering *lowering, LLVMValueRef phi) {
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        if (mark_reaches(lowering, LLVMGetIncomingValue(phi, i))) {
            return true;
        }
    }
    return false;
}

/* Gives flags to the phis of a block that a mark reaches; returns whether there was one without. */
static bool find_in_block(struct lowering *lowering, LLVMBasicBlockRef block) {
    bool found = false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
        if (!handle_known(lowering->flags, i) && some_incoming_is_mark(lowering, i)) {
            handle_set(lowering->flags, i, lowering_registers(lowering, 1));
            found = true;
        }
    }
    return found;
}

void uninitialised_find(struct lowering *lowering, const struct vector *blocks) {
    bool again = true;
    while (again) {
        again = false;
        for (size_t b = blocks->count; b-- > 0;) {
            again = find_in_block(lowering, *(LLVMBasicBlockRef *)vector_at(blocks, b)) || again;
        }
    }
}

uint32_t uninitialised_flag(struct lowering *lowering, LLVMValueRef value) {
    const uint64_t *flag = handle_find(lowering->flags, value);
    return flag ? (uint32_t)*flag : lowering_constant(lowering, c_locals_is_mark(value) ? 0 : 1);
}

void uninitialised_note(struct lowering *lowering, LLVMValueRef value) {
    if (mark_reaches(lowering, value)) {
        lowering_assumed(lowering, ASSUMPTION_UNINITIALISED, uninitialised_flag(lowering, value),
                         lowering_constant(lowering, 0));
    }
}
