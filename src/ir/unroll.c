/* Loop bounds: a counter per loop, set to 0 before the loop and increased at every back edge; beyond the bound the
 * execution is cut.  Iterations of an await that do nothing do not count: they use AGAIN's first target. */
#include <stdlib.h>

#include "ir/loops.h"
#include "ir/passes.h"
#include "ir/rewrite.h"
#include "util/memory.h"

struct unrolling {
    uint32_t bound;
    bool *ends; /* by function: it may end its thread or the process */
};

/* --- Loops without an exit ---------------------------------------------------------------------------------------- */

/* Calls of functions that are not known may end the thread. */
static bool instruction_ends(const struct instruction *code, const bool *ends) {
    switch (code->op) {
    case OP_CALL:
        return ends[code->a];
    case OP_CALL_INDIRECT:
    case OP_EXIT:
        return true;
    case OP_SYNC:
        return code->width == SYNC_THREAD_EXIT;
    default:
        return false;
    }
}

static bool function_ends(const struct program *program, uint32_t index, const bool *ends) {
    const struct function *function = &program->functions[index];
    for (uint32_t i = 0; i < function->count; i++) {
        if (instruction_ends(&program->code[function->first + i], ends)) {
            return true;
        }
    }
    return false;
}

/* Functions that may end their thread or the process, however deep they call. */
static bool *find_ends(const struct program *program) {
    bool *ends = memory_allocate(((size_t)program->functions_count + 1) * sizeof *ends);
    bool again = true;
    while (again) {
        again = false;
        for (uint32_t f = 0; f < program->functions_count; f++) {
            if (!ends[f] && function_ends(program, f, ends)) {
                ends[f] = again = true;
            }
        }
    }
    return ends;
}

/* Does the cycle with this header go on for ever, unless something fails? */
static bool is_endless(const struct unrolling *unrolling, const struct flow *flow, uint32_t header) {
    for (uint32_t l = 0; l < flow->loops_count; l++) {
        const struct loop *loop = &flow->loops[l];
        if (loop->header != header) {
            continue;
        }
        for (uint32_t b = 0; b < loop->blocks_count; b++) {
            const struct block *block = &flow->blocks[loop->blocks[b]];
            for (uint32_t i = block->first; i < block->end; i++) {
                if (instruction_ends(&flow->code[i], unrolling->ends)) {
                    return false;
                }
            }
        }
        return loop_is_endless(flow, loop);
    }
    return false;
}

/* --- Counting ----------------------------------------------------------------------------------------------------- */

/* A back edge: increases the counter, compares it, and continues or cuts the execution. */
static uint32_t counting_detour(struct rewrite *rewrite, uint32_t end, uint32_t counter, uint32_t bound,
                                uint32_t header, enum cut_kind kind, uint32_t pos) {
    struct builder *builder = rewrite->builder;
    uint32_t flag = rewrite->registers;
    uint32_t first = rewrite_insert(
        rewrite, end,
        (struct instruction){
            .op = OP_ADD, .width = 32, .dst = counter, .a = counter, .b = builder_constant(builder, 1), .pos = pos});
    rewrite_insert(rewrite, end,
                   (struct instruction){.op = OP_ICMP,
                                        .width = 32,
                                        .sub = PREDICATE_UGT,
                                        .dst = flag,
                                        .a = counter,
                                        .b = builder_constant(builder, bound),
                                        .pos = pos});
    rewrite_insert(rewrite, end,
                   (struct instruction){.op = OP_BR,
                                        .width = 1,
                                        .dst = NO_REGISTER,
                                        .a = flag,
                                        .b = REWRITE_INSERTED | (first + 3),
                                        .c = REWRITE_PAST | header,
                                        .pos = pos});
    rewrite_insert(rewrite, end,
                   (struct instruction){.op = OP_CUT, .sub = (uint8_t)kind, .dst = NO_REGISTER, .pos = pos});
    return first;
}

static void bound_edge(struct rewrite *rewrite, const struct flow *flow, uint32_t from, uint32_t header,
                       uint32_t counter, uint32_t bound, enum cut_kind kind) {
    uint32_t last = flow->blocks[from].end - 1;
    uint32_t first =
        counting_detour(rewrite, flow->function->count, counter, bound, header, kind, flow->code[last].pos);
    struct instruction *instruction = &rewrite->code[last];
    if (instruction->op == OP_AGAIN) {
        instruction->b = instruction->b == header ? REWRITE_INSERTED | first : instruction->b;
    } else {
        rewrite_retarget(rewrite, last, header, REWRITE_INSERTED | first);
    }
}

/* A back edge leads to a block that comes earlier in reverse post-order; if the flow is reducible its target is the
 * header of a loop. */
static void bound_loops(struct rewrite *rewrite, void *data) {
    const struct unrolling *unrolling = data;
    struct flow flow;
    flow_init(&flow, rewrite->program, rewrite->function);
    uint32_t counters = 0;
    for (uint32_t h = 0; h < flow.blocks_count; h++) {
        const struct block *header = &flow.blocks[h];
        uint32_t counter = NO_REGISTER;
        bool natural = true;
        enum cut_kind kind = is_endless(unrolling, &flow, h) ? CUT_ENDLESS : CUT_BOUND;
        for (uint32_t k = 0; k < header->predecessors_count; k++) {
            uint32_t from = flow.edges[header->predecessors + k];
            if (header->order == NO_BLOCK || flow.blocks[from].order == NO_BLOCK ||
                flow.blocks[from].order < header->order) {
                continue;
            }
            if (counter == NO_REGISTER) {
                counter = rewrite->registers + 1 + counters++;
            }
            natural = natural && flow_dominates(&flow, h, from);
            bound_edge(rewrite, &flow, from, header->first, counter, unrolling->bound, kind);
        }
        if (counter != NO_REGISTER) {
            /* A cycle with several entries is counted from the function's start. */
            rewrite_insert(rewrite, natural ? header->first : 0,
                           (struct instruction){.op = OP_MOV,
                                                .width = 64,
                                                .dst = counter,
                                                .a = builder_constant(rewrite->builder, 0),
                                                .pos = flow.code[header->first].pos});
        }
    }
    /* An AGAIN leads to its AWAIT itself, not to the instructions inserted before it. */
    for (uint32_t i = 0; i < flow.function->count; i++) {
        if (rewrite->code[i].op == OP_AGAIN) {
            rewrite->code[i].a |= REWRITE_PAST;
        }
    }
    if (counters > 0) {
        rewrite->registers += 1 + counters;
    }
    flow_delete(&flow);
}

void pass_unroll(struct program *program, uint32_t bound) {
    struct unrolling unrolling = {bound, find_ends(program)};
    program_rewrite(program, bound_loops, &unrolling);
    free(unrolling.ends);
}
