/* Loop bounds: a counter per loop, set to 0 on the way in and raised on every way back; beyond the bound the execution
 * is cut.  Rounds of an await that do nothing are not counted: they go back through AGAIN's first target. */
#include "ir/flow.h"
#include "ir/passes.h"
#include "ir/rewrite.h"

/* The way back: raise the counter, look at it, and go on or be cut. */
static uint32_t counting_detour(struct rewrite *rewrite, uint32_t end, uint32_t counter, uint32_t bound,
                                uint32_t header, uint32_t pos) {
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
    rewrite_insert(rewrite, end, (struct instruction){.op = OP_CUT, .dst = NO_REGISTER, .pos = pos});
    return first;
}

static void bound_edge(struct rewrite *rewrite, const struct flow *flow, uint32_t from, uint32_t header,
                       uint32_t counter, uint32_t bound) {
    uint32_t last = flow->blocks[from].end - 1;
    uint32_t first = counting_detour(rewrite, flow->function->count, counter, bound, header, flow->code[last].pos);
    struct instruction *instruction = &rewrite->code[last];
    if (instruction->op == OP_AGAIN) {
        instruction->a = REWRITE_PAST | instruction->a;
        instruction->b = instruction->b == header ? REWRITE_INSERTED | first : instruction->b;
    } else {
        rewrite_retarget(rewrite, last, header, REWRITE_INSERTED | first);
    }
}

/* A way back is an edge to a block that comes earlier in reverse post-order; where the flow is reducible its target is
 * the header of a loop. */
static void bound_loops(struct rewrite *rewrite, void *data) {
    uint32_t bound = *(uint32_t *)data;
    struct flow flow;
    flow_init(&flow, rewrite->program, rewrite->function);
    uint32_t counters = 0;
    for (uint32_t h = 0; h < flow.blocks_count; h++) {
        const struct block *header = &flow.blocks[h];
        uint32_t counter = NO_REGISTER;
        bool natural = true;
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
            bound_edge(rewrite, &flow, from, header->first, counter, bound);
        }
        if (counter != NO_REGISTER) {
            /* A cycle with several ways in is counted from the function's start. */
            rewrite_insert(rewrite, natural ? header->first : 0,
                           (struct instruction){.op = OP_MOV,
                                                .width = 64,
                                                .dst = counter,
                                                .a = builder_constant(rewrite->builder, 0),
                                                .pos = flow.code[header->first].pos});
        }
    }
    if (counters > 0) {
        rewrite->registers += 1 + counters;
    }
    flow_delete(&flow);
}

void pass_unroll(struct program *program, uint32_t bound) {
    program_rewrite(program, bound_loops, &bound);
}
