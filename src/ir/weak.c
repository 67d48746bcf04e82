/* Weak compare-and-swaps that may fail spuriously: a choice before each, and an alternative that does the same as a
 * failure: it waits for the own store buffer, reads, and returns that it has failed. */
#include "ir/assumption.h"
#include "ir/passes.h"
#include "ir/rewrite.h"

/* Has the front end marked the next instruction?  An assumption that is lifted has operand 1. */
static bool may_fail(const struct program *program, const struct instruction *code, uint32_t index, uint32_t count) {
    const struct instruction *note = &code[index];
    return note->op == OP_ASSUMED && note->sub == ASSUMPTION_WEAK && (note->a & OPERAND_CONSTANT) &&
           program->constants[note->a & ~OPERAND_CONSTANT] == 1 && index + 1 < count && code[index + 1].op == OP_CAS;
}

static void weaken(struct rewrite *rewrite, void *data) {
    struct builder *builder = rewrite->builder;
    uint32_t count = rewrite->program->functions[rewrite->function].count;
    uint32_t fails = rewrite->registers;
    (void)data;
    for (uint32_t i = 0; i < count; i++) {
        if (!may_fail(rewrite->program, rewrite->code, i, count)) {
            continue;
        }
        struct instruction cas = rewrite->code[i + 1];
        uint32_t zero = builder_constant(builder, 0);
        rewrite->code[i].op = OP_COUNT;
        rewrite->registers = fails + 1;
        uint32_t first = rewrite_insert(
            rewrite, count,
            (struct instruction){.op = OP_FENCE, .sub = ORDER_SEQ_CST, .dst = NO_REGISTER, .pos = cas.pos});
        rewrite_insert(rewrite, count,
                       (struct instruction){.op = OP_LOAD,
                                            .width = cas.width,
                                            .sub = ORDER_SEQ_CST,
                                            .flags = cas.flags,
                                            .dst = cas.dst,
                                            .a = cas.a,
                                            .pos = cas.pos});
        rewrite_insert(
            rewrite, count,
            (struct instruction){
                .op = OP_MOV, .width = 64, .dst = cas.dst + (cas.width > 8 ? 2 : 1), .a = zero, .pos = cas.pos});
        rewrite_insert(rewrite, count,
                       (struct instruction){.op = OP_JMP, .dst = NO_REGISTER, .a = i + 2, .pos = cas.pos});
        rewrite_insert(rewrite, i + 1,
                       (struct instruction){.op = OP_NONDET,
                                            .width = 8,
                                            .dst = fails,
                                            .a = zero,
                                            .b = builder_constant(builder, 1),
                                            .pos = cas.pos});
        rewrite_insert(rewrite, i + 1,
                       (struct instruction){.op = OP_BR,
                                            .width = 1,
                                            .dst = NO_REGISTER,
                                            .a = fails,
                                            .b = REWRITE_INSERTED | first,
                                            .c = REWRITE_PAST | (i + 1),
                                            .pos = cas.pos});
    }
}

void pass_weak(struct program *program) {
    bool found = false;
    for (uint32_t i = 0; i < program->code_count && !found; i++) {
        found = may_fail(program, program->code, i, (uint32_t)program->code_count);
    }
    if (found) {
        program_rewrite(program, weaken, NULL);
    }
}
