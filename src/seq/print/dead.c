/* One pass from the end of the code to its start: the registers read later are known at each instruction. */
#include "seq/print/dead.h"

#include <stdlib.h>
#include <string.h>

#include "ir/passes.h"
#include "util/memory.h"

struct scan {
    size_t words;
    uint64_t **at;  /* by instruction: the registers read from there on, if it is a branch target; else NULL */
    uint64_t *live; /* those read after the instruction at hand */
};

static void add_live(void *data, uint32_t target) {
    struct scan *scan = data;
    for (size_t i = 0; scan->at[target] && i < scan->words; i++) {
        scan->live[i] |= scan->at[target][i];
    }
}

static void add_read(void *data, uint32_t operand) {
    struct scan *scan = data;
    if (!(operand & OPERAND_CONSTANT) && operand != NO_REGISTER) {
        scan->live[operand / 64] |= UINT64_C(1) << operand % 64;
    }
}

static void mark(void *data, uint32_t target) {
    struct scan *scan = data;
    if (!scan->at[target]) {
        scan->at[target] = memory_allocate(scan->words * sizeof(uint64_t));
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

static void pass(struct scan *scan, const struct program *program, struct instruction *code) {
    unsigned writes = instruction_writes(program, code);
    bool wanted = !instruction_is_pure(code);
    if (instruction_ends_block(code)) {
        memset(scan->live, 0, scan->words * sizeof(uint64_t));
    }
    instruction_targets(program, code, add_live, scan);
    for (unsigned i = 0; i < writes; i++) {
        uint32_t reg = code->dst + i;
        wanted |= scan->live[reg / 64] >> reg % 64 & 1;
        scan->live[reg / 64] &= ~(UINT64_C(1) << reg % 64);
    }
    if (wanted) {
        instruction_reads(program, code, add_read, scan);
    } else {
        *code = (struct instruction){.op = OP_NOP, .dst = NO_REGISTER, .pos = code->pos};
    }
}

void dead_remove(struct builder *builder, uint32_t registers) {
    uint32_t count = builder_here(builder);
    struct program program = view_of(builder);
    struct scan scan = {.words = (size_t)registers / 64 + 1};
    scan.at = memory_allocate(((size_t)count + 1) * sizeof *scan.at);
    scan.live = memory_allocate(scan.words * sizeof(uint64_t));
    for (uint32_t i = 0; i < count; i++) {
        instruction_targets(&program, builder_at(builder, i), mark, &scan);
    }
    for (uint32_t i = count; i-- > 0;) {
        pass(&scan, &program, builder_at(builder, i));
        if (scan.at[i]) {
            memcpy(scan.at[i], scan.live, scan.words * sizeof(uint64_t));
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        free(scan.at[i]);
    }
    free(scan.at);
    free(scan.live);
}
