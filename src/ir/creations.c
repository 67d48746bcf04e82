/* Bounds the creations of threads in loops: a counter for each creation on a cycle; at the bound the creating thread
 * stops. */
#include "ir/flow.h"
#include "ir/passes.h"
#include "ir/rewrite.h"

static bool in_loop(const struct flow *flow, uint32_t instruction) {
    for (uint32_t i = 0; i < flow->loops_count; i++) {
        if (loop_has(&flow->loops[i], flow->block_of[instruction])) {
            return true;
        }
    }
    return flow->irreducible;
}

/* Before the creation: if the counter is at its bound, HALT, otherwise it is increased. */
static void bound_creation(struct rewrite *rewrite, uint32_t at, uint32_t counter, uint32_t most) {
    struct builder *builder = rewrite->builder;
    uint32_t pos = rewrite->code[at].pos;
    uint32_t flag = rewrite->registers++;
    rewrite_insert(rewrite, at,
                   (struct instruction){.op = OP_ICMP,
                                        .width = 32,
                                        .sub = PREDICATE_ULT,
                                        .dst = flag,
                                        .a = counter,
                                        .b = builder_constant(builder, most),
                                        .pos = pos});
    uint32_t branch = rewrite_insert(
        rewrite, at, (struct instruction){.op = OP_BR, .width = 1, .dst = NO_REGISTER, .a = flag, .pos = pos});
    uint32_t halt = rewrite_insert(rewrite, at, (struct instruction){.op = OP_HALT, .dst = NO_REGISTER, .pos = pos});
    uint32_t raise = rewrite_insert(
        rewrite, at,
        (struct instruction){
            .op = OP_ADD, .width = 32, .dst = counter, .a = counter, .b = builder_constant(builder, 1), .pos = pos});
    struct insertion *inserted = vector_at(&rewrite->insertions, branch);
    inserted->instruction.b = REWRITE_INSERTED | raise;
    inserted->instruction.c = REWRITE_INSERTED | halt;
}

static void bound_creations(struct rewrite *rewrite, void *data) {
    uint32_t most = *(uint32_t *)data;
    uint32_t count = rewrite->program->functions[rewrite->function].count;
    struct flow flow;
    bool some = false;
    flow_init(&flow, rewrite->program, rewrite->function);
    for (uint32_t i = 0; i < count; i++) {
        const struct instruction *code = &rewrite->code[i];
        if (code->op != OP_SYNC || code->width != SYNC_THREAD_CREATE || !in_loop(&flow, i)) {
            continue;
        }
        uint32_t counter = rewrite->registers++;
        bound_creation(rewrite, i, counter, most);
        rewrite_insert(rewrite, 0,
                       (struct instruction){.op = OP_MOV,
                                            .width = 64,
                                            .dst = counter,
                                            .a = builder_constant(rewrite->builder, 0),
                                            .pos = code->pos});
        some = true;
    }
    for (uint32_t i = 0; some && i < count; i++) {
        rewrite_retarget(rewrite, i, 0, REWRITE_PAST | 0); /* the counters are set only once */
    }
    flow_delete(&flow);
}

void pass_creations(struct program *program, uint32_t most) {
    program_rewrite(program, bound_creations, &most);
}
