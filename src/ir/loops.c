/* The loops of a program that do more than wait. */
#include "ir/loops.h"

bool block_is_dead_end(const struct flow *flow, uint32_t block) {
    const struct instruction *last = &flow->code[flow->blocks[block].end - 1];
    return last->op == OP_ERROR || last->op == OP_CUT || last->op == OP_HALT;
}

bool loop_is_endless(const struct flow *flow, const struct loop *loop) {
    for (uint32_t b = 0; b < flow->blocks_count; b++) {
        for (uint32_t k = 0; loop_has(loop, b) && k < flow->blocks[b].successors_count; k++) {
            uint32_t next = flow->edges[flow->blocks[b].successors + k];
            if (!loop_has(loop, next) && !block_is_dead_end(flow, next)) {
                return false;
            }
        }
    }
    return true;
}

/* Can the loop end, and not only by a nondeterministic choice? */
static bool loop_ends(const struct flow *flow, const struct loop *loop) {
    bool exits = false;
    for (uint32_t b = 0; b < flow->blocks_count; b++) {
        const struct block *block = &flow->blocks[b];
        for (uint32_t i = block->first; loop_has(loop, b) && i < block->end; i++) {
            if (flow->code[i].op == OP_NONDET) {
                return false;
            }
        }
        for (uint32_t k = 0; loop_has(loop, b) && k < block->successors_count; k++) {
            exits = exits || !loop_has(loop, flow->edges[block->successors + k]);
        }
    }
    return exits;
}

/* Does a failed iteration of the loop change nothing? */
static bool loop_waits(const struct flow *flow, const struct loop *loop) {
    for (uint32_t b = 0; b < flow->blocks_count; b++) {
        for (uint32_t i = flow->blocks[b].first; loop_has(loop, b) && i < flow->blocks[b].end; i++) {
            const struct instruction *code = &flow->code[i];
            if ((code->op == OP_STORE && !(code->flags & INSTRUCTION_AWAIT)) || code->op == OP_RMW ||
                code->op == OP_FREE) {
                return false;
            }
        }
    }
    return flow->code[flow->blocks[loop->header].first].op == OP_AWAIT;
}

enum looping program_find_loops(const struct program *program) {
    enum looping found = LOOPS_NONE;
    for (uint32_t f = 0; f < program->functions_count; f++) {
        struct flow flow;
        flow_init(&flow, program, f);
        bool library = program->functions[f].flags & FUNCTION_LIBRARY;
        for (uint32_t l = 0; l < flow.loops_count && !library; l++) {
            const struct loop *loop = &flow.loops[l];
            if (!loop_waits(&flow, loop)) {
                enum looping kind = loop_ends(&flow, loop) ? LOOPS_SOME : LOOPS_ENDLESS;
                found = kind > found ? kind : found;
            }
        }
        if (flow.irreducible && !library) {
            found = LOOPS_ENDLESS;
        }
        flow_delete(&flow);
    }
    return found;
}
