/* One walk from the end of the code to its start: what is read later is known when an instruction is met. */
#include "seq/print/dead.h"

#include <stdlib.h>
#include <string.h>

#include "ir/passes.h"
#include "util/memory.h"

struct walk {
    size_t words;
    uint64_t **at;  /* by instruction: the registers read from there on, if it is a branch target; else NULL */
    uint64_t *live; /* those read after the instruction at hand */
};

static void add_live(void *data, uint32_t target) {
    struct walk *walk = data;
    for (size_t i = 0; walk->at[target] && i < walk->words; i++) {
        walk->live[i] |= walk->at[target][i];
    }
}

static void add_read(void *data, uint32_t operand) {
    struct walk *walk = data;
    if (!(operand & OPERAND_CONSTANT) && operand != NO_REGISTER) {
        walk->live[operand / 64] |= UINT64_C(1) << operand % 64;
    }
}

static void mark(void *data, uint32_t target) {
    struct walk *walk = data;
    if (!walk->at[target]) {
        walk->at[target] = memory_allocate(walk->words * sizeof(uint64_t));
    }
}

/* The builder's sections as far as instructions name them. */
static struct program view_of(const struct builder *builder) {
    return (struct program){.functions = builder->functions.data,
                            .functions_count = builder->functions.count,
                            .operands = builder->operands.data,
                            .operands_count = builder->operands.count,
                            .constants = builder->constants.data,
                            .constants_count = builder->constants.count};
}

static void pass(struct walk *walk, const struct program *program, struct instruction *code) {
    unsigned writes = instruction_writes(program, code);
    bool wanted = !instruction_is_pure(code);
    if (instruction_ends_block(code)) {
        memset(walk->live, 0, walk->words * sizeof(uint64_t));
    }
    instruction_targets(program, code, add_live, walk);
    for (unsigned i = 0; i < writes; i++) {
        uint32_t reg = code->dst + i;
        wanted |= walk->live[reg / 64] >> reg % 64 & 1;
        walk->live[reg / 64] &= ~(UINT64_C(1) << reg % 64);
    }
    if (wanted) {
        instruction_reads(program, code, add_read, walk);
    } else {
        *code = (struct instruction){.op = OP_NOP, .dst = NO_REGISTER, .pos = code->pos};
    }
}

void dead_remove(struct builder *builder, uint32_t registers) {
    uint32_t count = builder_here(builder);
    struct program program = view_of(builder);
    struct walk walk = {.words = (size_t)registers / 64 + 1};
    walk.at = memory_allocate(((size_t)count + 1) * sizeof *walk.at);
    walk.live = memory_allocate(walk.words * sizeof(uint64_t));
    for (uint32_t i = 0; i < count; i++) {
        instruction_targets(&program, builder_at(builder, i), mark, &walk);
    }
    for (uint32_t i = count; i-- > 0;) {
        pass(&walk, &program, builder_at(builder, i));
        if (walk.at[i]) {
            memcpy(walk.at[i], walk.live, walk.words * sizeof(uint64_t));
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        free(walk.at[i]);
    }
    free(walk.at);
    free(walk.live);
}
