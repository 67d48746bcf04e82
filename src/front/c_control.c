/* Branches, switches, returns, and phis.
 *
 * A phi is a move on each edge into its block.  The moves of one edge happen at once: one may read what another writes.
 * If the branch is the only one from its block, the moves come before it; else they are emitted after it, with a jump
 * at their end. */
#include <string.h>

#include "front/c_lowering.h"
#include "front/c_map.h"

struct move {
    uint32_t dst;
    uint32_t source;
};

static void add_fixup(struct lowering *lowering, enum fixup_field field, uint32_t where, LLVMBasicBlockRef block) {
    struct fixup *fixup = vector_grow(&lowering->fixups, 1);
    fixup->field = field;
    fixup->where = where;
    fixup->block = block;
}

static void set_target(struct lowering *lowering, enum fixup_field field, uint32_t where, uint32_t target) {
    if (field == FIXUP_POOL) {
        *(uint32_t *)vector_at(&lowering->builder->operands, where) = target;
        return;
    }
    struct instruction *instruction = builder_at(lowering->builder, where);
    *(field == FIXUP_DST ? &instruction->dst
      : field == FIXUP_A ? &instruction->a
      : field == FIXUP_B ? &instruction->b
                         : &instruction->c) = target;
}

void lowering_patch(struct lowering *lowering) {
    for (size_t i = 0; i < lowering->fixups.count; i++) {
        const struct fixup *fixup = vector_at(&lowering->fixups, i);
        set_target(lowering, fixup->field, fixup->where, (uint32_t)*handle_find(lowering->starts, fixup->block));
    }
}

static LLVMValueRef incoming_value(LLVMValueRef phi, LLVMBasicBlockRef from) {
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        if (LLVMGetIncomingBlock(phi, i) == from) {
            return LLVMGetIncomingValue(phi, i);
        }
    }
    return NULL;
}

static bool has_phis(LLVMBasicBlockRef block) {
    return LLVMIsAPHINode(LLVMGetFirstInstruction(block)) != NULL;
}

static bool is_read(const struct vector *moves, uint32_t reg, size_t except) {
    for (size_t i = 0; i < moves->count; i++) {
        if (i != except && ((struct move *)vector_at(moves, i))->source == reg) {
            return true;
        }
    }
    return false;
}

static void emit_moves(struct lowering *lowering, struct vector *moves) {
    while (moves->count > 0) {
        size_t free_one = moves->count;
        for (size_t i = 0; i < moves->count && free_one == moves->count; i++) {
            if (!is_read(moves, ((struct move *)vector_at(moves, i))->dst, i)) {
                free_one = i;
            }
        }
        if (free_one == moves->count) {
            /* Only cycles are left: the value that the first move overwrites is copied for the moves that read it. */
            uint32_t reg = ((struct move *)vector_at(moves, 0))->dst;
            uint32_t kept = lowering_registers(lowering, 1);
            lowering_move(lowering, kept, reg);
            for (size_t i = 0; i < moves->count; i++) {
                struct move *move = vector_at(moves, i);
                move->source = move->source == reg ? kept : move->source;
            }
            continue;
        }
        struct move move = *(struct move *)vector_at(moves, free_one);
        lowering_move(lowering, move.dst, move.source);
        *(struct move *)vector_at(moves, free_one) = *(struct move *)vector_at(moves, moves->count - 1);
        moves->count--;
    }
}

static void lowering_edge_moves(struct lowering *lowering, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
    struct vector moves;
    vector_init(&moves, sizeof(struct move));
    for (LLVMValueRef i = LLVMGetFirstInstruction(to); i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
        LLVMValueRef value = incoming_value(i, from);
        if (value == NULL || !type_supported(LLVMTypeOf(i))) {
            continue;
        }
        uint32_t dst = lowering_result(lowering, i);
        uint32_t source = lowering_passed(lowering, value);
        for (uint32_t k = 0; k < type_registers(LLVMTypeOf(i)); k++) {
            struct move move = {dst + k, source + k};
            if (move.dst != move.source) {
                vector_push(&moves, &move);
            }
        }
        if (handle_known(lowering->flags, i)) {
            struct move move = {uninitialised_flag(lowering, i), uninitialised_flag(lowering, value)};
            if (move.dst != move.source) {
                vector_push(&moves, &move);
            }
        }
    }
    emit_moves(lowering, &moves);
    vector_delete(&moves);
}

static void lowering_jump(struct lowering *lowering, LLVMBasicBlockRef to, bool may_fall) {
    if (may_fall && to == lowering->next_block) {
        return;
    }
    add_fixup(lowering, FIXUP_A, builder_here(lowering->builder), to);
    lowering_emit(lowering, (struct instruction){.op = OP_JMP});
}

/* Sets the target of an emitted branch: the block, or the moves of the edge. */
static void lowering_edge(struct lowering *lowering, enum fixup_field field, uint32_t where, LLVMBasicBlockRef from,
                          LLVMBasicBlockRef to, bool last) {
    if (!has_phis(to)) {
        add_fixup(lowering, field, where, to);
        return;
    }
    set_target(lowering, field, where, builder_here(lowering->builder));
    lowering_edge_moves(lowering, from, to);
    lowering_jump(lowering, to, last);
}

static void lowering_branch(struct lowering *lowering, LLVMValueRef branch, LLVMBasicBlockRef from) {
    if (!LLVMIsConditional(branch)) {
        LLVMBasicBlockRef to = LLVMGetSuccessor(branch, 0);
        lowering_edge_moves(lowering, from, to);
        lowering_jump(lowering, to, true);
        return;
    }
    uint32_t condition = lowering_value(lowering, LLVMGetCondition(branch));
    uint32_t where = builder_here(lowering->builder);
    lowering_emit(lowering, (struct instruction){.op = OP_BR, .width = 1, .a = condition});
    lowering_edge(lowering, FIXUP_B, where, from, LLVMGetSuccessor(branch, 0), false);
    lowering_edge(lowering, FIXUP_C, where, from, LLVMGetSuccessor(branch, 1), true);
}

/* Emits a SWITCH over n constants without targets.  Returns the index of its pairs in the pool. */
static uint32_t emit_switch(struct lowering *lowering, uint32_t value, const uint64_t *constants, uint32_t n) {
    struct vector pairs;
    vector_init(&pairs, sizeof(uint32_t));
    for (uint32_t i = 0; i < n; i++) {
        uint32_t *pair = vector_grow(&pairs, 2);
        pair[0] = lowering_constant(lowering, constants[i]);
    }
    uint32_t start = builder_operands(lowering->builder, pairs.data, pairs.count);
    lowering_emit(lowering, (struct instruction){.op = OP_SWITCH, .width = 64, .a = value, .b = start, .c = n});
    vector_delete(&pairs);
    return start;
}

/* Edges of a switch that lead to the same block share their moves. */
static void lowering_switch_edges(struct lowering *lowering, LLVMValueRef terminator, uint32_t where, uint32_t pool,
                                  unsigned first) {
    LLVMBasicBlockRef from = LLVMGetInstructionParent(terminator);
    struct hash_table *locations = hash_table_new();
    for (unsigned i = first; i < LLVMGetNumSuccessors(terminator); i++) {
        LLVMBasicBlockRef to = LLVMGetSuccessor(terminator, i);
        bool is_default = first == 0 && i == 0;
        enum fixup_field field = is_default ? FIXUP_DST : FIXUP_POOL;
        uint32_t target = is_default ? where : pool + 2 * (first == 0 ? i - 1 : i) + 1;
        const uint64_t *location = handle_find(locations, to);
        if (location != NULL) {
            set_target(lowering, field, target, (uint32_t)*location);
        } else {
            uint32_t here = builder_here(lowering->builder);
            lowering_edge(lowering, field, target, from, to, false);
            if (has_phis(to)) {
                handle_set(locations, to, here);
            }
        }
    }
    hash_table_free(locations);
}

static void lowering_wide_switch(struct lowering *lowering, LLVMValueRef terminator) {
    LLVMBasicBlockRef from = LLVMGetInstructionParent(terminator);
    uint32_t value = lowering_value(lowering, LLVMGetOperand(terminator, 0));
    uint32_t width = type_width(LLVMTypeOf(LLVMGetOperand(terminator, 0)));
    for (unsigned i = 1; i < LLVMGetNumSuccessors(terminator); i++) {
        uint32_t equal = lowering_registers(lowering, 1);
        lowering_emit(lowering, (struct instruction){.op = OP_WIDE_ICMP,
                                                     .width = (uint8_t)width,
                                                     .sub = PREDICATE_EQ,
                                                     .dst = equal,
                                                     .a = value,
                                                     .b = lowering_value(lowering, LLVMGetOperand(terminator, 2 * i))});
        uint32_t where = builder_here(lowering->builder);
        lowering_emit(lowering, (struct instruction){.op = OP_BR, .width = 1, .a = equal});
        lowering_edge(lowering, FIXUP_B, where, from, LLVMGetSuccessor(terminator, i), false);
        set_target(lowering, FIXUP_C, where, builder_here(lowering->builder));
    }
    lowering_edge_moves(lowering, from, LLVMGetSuccessor(terminator, 0));
    lowering_jump(lowering, LLVMGetSuccessor(terminator, 0), false);
}

static void lowering_switch(struct lowering *lowering, LLVMValueRef terminator) {
    LLVMValueRef condition = LLVMGetOperand(terminator, 0);
    if (type_width(LLVMTypeOf(condition)) > 64) {
        lowering_wide_switch(lowering, terminator);
        return;
    }
    uint32_t count = LLVMGetNumSuccessors(terminator) - 1;
    struct vector constants;
    vector_init(&constants, sizeof(uint64_t));
    for (uint32_t i = 1; i <= count; i++) {
        uint64_t constant = LLVMConstIntGetZExtValue(LLVMGetOperand(terminator, 2 * i));
        vector_push(&constants, &constant);
    }
    uint32_t value = lowering_value(lowering, condition);
    uint32_t where = builder_here(lowering->builder);
    uint32_t pool = emit_switch(lowering, value, constants.data, count);
    lowering_switch_edges(lowering, terminator, where, pool, 0);
    vector_delete(&constants);
}

/* A computed goto is a switch over the numbers of the labels. */
static void lowering_indirect(struct lowering *lowering, LLVMValueRef terminator) {
    uint32_t count = LLVMGetNumSuccessors(terminator);
    struct vector constants;
    vector_init(&constants, sizeof(uint64_t));
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t *label = handle_find(lowering->labels, LLVMGetSuccessor(terminator, i));
        uint64_t constant = label == NULL ? 0 : *label;
        vector_push(&constants, &constant);
    }
    uint32_t value = lowering_value(lowering, LLVMGetOperand(terminator, 0));
    uint32_t where = builder_here(lowering->builder);
    uint32_t pool = emit_switch(lowering, value, constants.data, count);
    set_target(lowering, FIXUP_DST, where, builder_here(lowering->builder));
    lowering_error(lowering, ERROR_MISUSE, "a computed goto to an address that is no label");
    LLVMBasicBlockRef from = LLVMGetInstructionParent(terminator);
    for (uint32_t i = 0; i < count; i++) {
        lowering_edge(lowering, FIXUP_POOL, pool + 2 * i + 1, from, LLVMGetSuccessor(terminator, i), false);
    }
    vector_delete(&constants);
}

static void lowering_return(struct lowering *lowering, LLVMValueRef terminator) {
    struct vector values;
    vector_init(&values, sizeof(uint32_t));
    if (LLVMGetNumOperands(terminator) > 0) {
        LLVMValueRef value = LLVMGetOperand(terminator, 0);
        uint32_t first = lowering_value(lowering, value);
        for (uint32_t i = 0; i < type_registers(LLVMTypeOf(value)); i++) {
            uint32_t operand = first + i;
            vector_push(&values, &operand);
        }
    }
    if (lowering->shares_locals) {
        lowering_emit(lowering, (struct instruction){.op = OP_LEAVE});
    }
    lowering_emit(lowering, (struct instruction){.op = OP_RET,
                                                 .a = builder_operands(lowering->builder, values.data, values.count),
                                                 .b = (uint32_t)values.count});
    vector_delete(&values);
}

void lowering_terminator(struct lowering *lowering, LLVMValueRef terminator) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(terminator);
    switch (LLVMGetInstructionOpcode(terminator)) {
    case LLVMBr:
        lowering_branch(lowering, terminator, block);
        break;
    case LLVMSwitch:
        lowering_switch(lowering, terminator);
        break;
    case LLVMIndirectBr:
        lowering_indirect(lowering, terminator);
        break;
    case LLVMRet:
        lowering_return(lowering, terminator);
        break;
    case LLVMUnreachable: {
        uint32_t here = builder_here(lowering->builder);
        bool empty = here == (uint32_t)*handle_find(lowering->starts, block);
        if (empty || !instruction_ends_block(builder_at(lowering->builder, here - 1))) {
            lowering_error(lowering, ERROR_UNREACHABLE, "control reaches what the program says is unreachable");
        }
        break;
    }
    case LLVMCallBr:
        lowering_unsupported(lowering, "asm goto", NULL);
        break;
    default:
        lowering_unsupported(lowering, "exceptions", NULL);
    }
}
