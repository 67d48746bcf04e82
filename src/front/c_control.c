/* Branches, switches, returns, and phis.
 *
 * A phi is a move on each edge into its block.  The moves of one edge happen at once: one may read what another
 * writes.  They stand before the branch if it is the only one out of its block, else in a place of their own behind it
 * that ends in a jump. */
#include <string.h>

#include "front/c_map.h"
#include "front/c_walk.h"

struct move {
    uint32_t dst;
    uint32_t source;
};

static void add_fixup(struct walk *walk, enum fixup_field field, uint32_t where, LLVMBasicBlockRef block) {
    struct fixup *fixup = vector_grow(&walk->fixups, 1);
    fixup->field = field;
    fixup->where = where;
    fixup->block = block;
}

static void set_target(struct walk *walk, enum fixup_field field, uint32_t where, uint32_t target) {
    if (field == FIXUP_POOL) {
        *(uint32_t *)vector_at(&walk->builder->operands, where) = target;
        return;
    }
    struct instruction *instruction = builder_at(walk->builder, where);
    *(field == FIXUP_DST ? &instruction->dst
      : field == FIXUP_A ? &instruction->a
      : field == FIXUP_B ? &instruction->b
                         : &instruction->c) = target;
}

void walk_patch(struct walk *walk) {
    for (size_t i = 0; i < walk->fixups.count; i++) {
        const struct fixup *fixup = vector_at(&walk->fixups, i);
        set_target(walk, fixup->field, fixup->where, (uint32_t)*handle_find(walk->starts, fixup->block));
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

static void emit_moves(struct walk *walk, struct vector *moves) {
    while (moves->count > 0) {
        size_t free_one = moves->count;
        for (size_t i = 0; i < moves->count && free_one == moves->count; i++) {
            if (!is_read(moves, ((struct move *)vector_at(moves, i))->dst, i)) {
                free_one = i;
            }
        }
        if (free_one == moves->count) {
            /* Only cycles are left: what the first move overwrites is kept elsewhere for those that read it. */
            uint32_t reg = ((struct move *)vector_at(moves, 0))->dst;
            uint32_t kept = walk_registers(walk, 1);
            walk_move(walk, kept, reg);
            for (size_t i = 0; i < moves->count; i++) {
                struct move *move = vector_at(moves, i);
                move->source = move->source == reg ? kept : move->source;
            }
            continue;
        }
        struct move move = *(struct move *)vector_at(moves, free_one);
        walk_move(walk, move.dst, move.source);
        *(struct move *)vector_at(moves, free_one) = *(struct move *)vector_at(moves, moves->count - 1);
        moves->count--;
    }
}

static void walk_edge_moves(struct walk *walk, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
    struct vector moves;
    vector_init(&moves, sizeof(struct move));
    for (LLVMValueRef i = LLVMGetFirstInstruction(to); i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
        LLVMValueRef value = incoming_value(i, from);
        if (value == NULL || !type_supported(LLVMTypeOf(i))) {
            continue;
        }
        uint32_t dst = walk_result(walk, i);
        uint32_t source = walk_value(walk, value);
        for (uint32_t k = 0; k < type_registers(LLVMTypeOf(i)); k++) {
            struct move move = {dst + k, source + k};
            if (move.dst != move.source) {
                vector_push(&moves, &move);
            }
        }
    }
    emit_moves(walk, &moves);
    vector_delete(&moves);
}

static void walk_jump(struct walk *walk, LLVMBasicBlockRef to, bool may_fall) {
    if (may_fall && to == walk->next_block) {
        return;
    }
    add_fixup(walk, FIXUP_A, builder_here(walk->builder), to);
    walk_emit(walk, (struct instruction){.op = OP_JMP});
}

/* Gives a branch that is already emitted its target: the block, or a place for the moves of the edge. */
static void walk_edge(struct walk *walk, enum fixup_field field, uint32_t where, LLVMBasicBlockRef from,
                      LLVMBasicBlockRef to, bool last) {
    if (!has_phis(to)) {
        add_fixup(walk, field, where, to);
        return;
    }
    set_target(walk, field, where, builder_here(walk->builder));
    walk_edge_moves(walk, from, to);
    walk_jump(walk, to, last);
}

static void walk_branch(struct walk *walk, LLVMValueRef branch, LLVMBasicBlockRef from) {
    if (!LLVMIsConditional(branch)) {
        LLVMBasicBlockRef to = LLVMGetSuccessor(branch, 0);
        walk_edge_moves(walk, from, to);
        walk_jump(walk, to, true);
        return;
    }
    uint32_t condition = walk_value(walk, LLVMGetCondition(branch));
    uint32_t where = builder_here(walk->builder);
    walk_emit(walk, (struct instruction){.op = OP_BR, .width = 1, .a = condition});
    walk_edge(walk, FIXUP_B, where, from, LLVMGetSuccessor(branch, 0), false);
    walk_edge(walk, FIXUP_C, where, from, LLVMGetSuccessor(branch, 1), true);
}

/* Emits a SWITCH over n constants; the targets are still open.  Returns where its pairs begin in the pool. */
static uint32_t emit_switch(struct walk *walk, uint32_t value, const uint64_t *constants, uint32_t n) {
    struct vector pairs;
    vector_init(&pairs, sizeof(uint32_t));
    for (uint32_t i = 0; i < n; i++) {
        uint32_t *pair = vector_grow(&pairs, 2);
        pair[0] = walk_constant(walk, constants[i]);
    }
    uint32_t start = builder_operands(walk->builder, pairs.data, pairs.count);
    walk_emit(walk, (struct instruction){.op = OP_SWITCH, .width = 64, .a = value, .b = start, .c = n});
    vector_delete(&pairs);
    return start;
}

/* Edges of a switch that lead to the same block share their moves. */
static void walk_switch_edges(struct walk *walk, LLVMValueRef terminator, uint32_t where, uint32_t pool,
                              unsigned first) {
    LLVMBasicBlockRef from = LLVMGetInstructionParent(terminator);
    struct hash_table *places = hash_table_new();
    for (unsigned i = first; i < LLVMGetNumSuccessors(terminator); i++) {
        LLVMBasicBlockRef to = LLVMGetSuccessor(terminator, i);
        bool is_default = first == 0 && i == 0;
        enum fixup_field field = is_default ? FIXUP_DST : FIXUP_POOL;
        uint32_t target = is_default ? where : pool + 2 * (first == 0 ? i - 1 : i) + 1;
        const uint64_t *place = handle_find(places, to);
        if (place != NULL) {
            set_target(walk, field, target, (uint32_t)*place);
        } else {
            uint32_t here = builder_here(walk->builder);
            walk_edge(walk, field, target, from, to, false);
            if (has_phis(to)) {
                handle_set(places, to, here);
            }
        }
    }
    hash_table_free(places);
}

static void walk_wide_switch(struct walk *walk, LLVMValueRef terminator) {
    LLVMBasicBlockRef from = LLVMGetInstructionParent(terminator);
    uint32_t value = walk_value(walk, LLVMGetOperand(terminator, 0));
    uint32_t width = type_width(LLVMTypeOf(LLVMGetOperand(terminator, 0)));
    for (unsigned i = 1; i < LLVMGetNumSuccessors(terminator); i++) {
        uint32_t equal = walk_registers(walk, 1);
        walk_emit(walk, (struct instruction){.op = OP_WIDE_ICMP,
                                             .width = (uint8_t)width,
                                             .sub = PREDICATE_EQ,
                                             .dst = equal,
                                             .a = value,
                                             .b = walk_value(walk, LLVMGetOperand(terminator, 2 * i))});
        uint32_t where = builder_here(walk->builder);
        walk_emit(walk, (struct instruction){.op = OP_BR, .width = 1, .a = equal});
        walk_edge(walk, FIXUP_B, where, from, LLVMGetSuccessor(terminator, i), false);
        set_target(walk, FIXUP_C, where, builder_here(walk->builder));
    }
    walk_edge_moves(walk, from, LLVMGetSuccessor(terminator, 0));
    walk_jump(walk, LLVMGetSuccessor(terminator, 0), false);
}

static void walk_switch(struct walk *walk, LLVMValueRef terminator) {
    LLVMValueRef condition = LLVMGetOperand(terminator, 0);
    if (type_width(LLVMTypeOf(condition)) > 64) {
        walk_wide_switch(walk, terminator);
        return;
    }
    uint32_t count = LLVMGetNumSuccessors(terminator) - 1;
    struct vector constants;
    vector_init(&constants, sizeof(uint64_t));
    for (uint32_t i = 1; i <= count; i++) {
        uint64_t constant = LLVMConstIntGetZExtValue(LLVMGetOperand(terminator, 2 * i));
        vector_push(&constants, &constant);
    }
    uint32_t value = walk_value(walk, condition);
    uint32_t where = builder_here(walk->builder);
    uint32_t pool = emit_switch(walk, value, constants.data, count);
    walk_switch_edges(walk, terminator, where, pool, 0);
    vector_delete(&constants);
}

/* A computed goto is a switch over the numbers of the labels. */
static void walk_indirect(struct walk *walk, LLVMValueRef terminator) {
    uint32_t count = LLVMGetNumSuccessors(terminator);
    struct vector constants;
    vector_init(&constants, sizeof(uint64_t));
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t *label = handle_find(walk->labels, LLVMGetSuccessor(terminator, i));
        uint64_t constant = label == NULL ? 0 : *label;
        vector_push(&constants, &constant);
    }
    uint32_t value = walk_value(walk, LLVMGetOperand(terminator, 0));
    uint32_t where = builder_here(walk->builder);
    uint32_t pool = emit_switch(walk, value, constants.data, count);
    set_target(walk, FIXUP_DST, where, builder_here(walk->builder));
    walk_error(walk, ERROR_MISUSE, "a computed goto to an address that is no label");
    LLVMBasicBlockRef from = LLVMGetInstructionParent(terminator);
    for (uint32_t i = 0; i < count; i++) {
        walk_edge(walk, FIXUP_POOL, pool + 2 * i + 1, from, LLVMGetSuccessor(terminator, i), false);
    }
    vector_delete(&constants);
}

static void walk_return(struct walk *walk, LLVMValueRef terminator) {
    struct vector values;
    vector_init(&values, sizeof(uint32_t));
    if (LLVMGetNumOperands(terminator) > 0) {
        LLVMValueRef value = LLVMGetOperand(terminator, 0);
        uint32_t first = walk_value(walk, value);
        for (uint32_t i = 0; i < type_registers(LLVMTypeOf(value)); i++) {
            uint32_t operand = first + i;
            vector_push(&values, &operand);
        }
    }
    if (walk->shares_locals) {
        walk_emit(walk, (struct instruction){.op = OP_LEAVE});
    }
    walk_emit(walk, (struct instruction){.op = OP_RET,
                                         .a = builder_operands(walk->builder, values.data, values.count),
                                         .b = (uint32_t)values.count});
    vector_delete(&values);
}

void walk_terminator(struct walk *walk, LLVMValueRef terminator) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(terminator);
    switch (LLVMGetInstructionOpcode(terminator)) {
    case LLVMBr:
        walk_branch(walk, terminator, block);
        break;
    case LLVMSwitch:
        walk_switch(walk, terminator);
        break;
    case LLVMIndirectBr:
        walk_indirect(walk, terminator);
        break;
    case LLVMRet:
        walk_return(walk, terminator);
        break;
    case LLVMUnreachable: {
        uint32_t here = builder_here(walk->builder);
        bool empty = here == (uint32_t)*handle_find(walk->starts, block);
        if (empty || !instruction_ends_block(builder_at(walk->builder, here - 1))) {
            walk_error(walk, ERROR_UNREACHABLE, "control reaches what the program says is unreachable");
        }
        break;
    }
    case LLVMCallBr:
        walk_unsupported(walk, "asm goto", NULL);
        break;
    default:
        walk_unsupported(walk, "exceptions", NULL);
    }
}
