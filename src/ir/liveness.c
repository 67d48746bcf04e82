/* Backward data flow over single instructions, repeated until nothing changes; loops take few rounds because the walk
 * goes against the flow. */
#include "ir/liveness.h"

#include <stdlib.h>
#include <string.h>

#include "util/memory.h"

struct walk {
    uint64_t *sets; /* of the function */
    uint64_t *set;  /* being computed */
    size_t words;
};

static void add_target(void *data, uint32_t target) {
    struct walk *walk = data;
    for (size_t w = 0; w < walk->words; w++) {
        walk->set[w] |= walk->sets[target * walk->words + w];
    }
}

static void add_operand(void *data, uint32_t operand) {
    struct walk *walk = data;
    if (!(operand & OPERAND_CONSTANT)) {
        walk->set[operand / 64] |= UINT64_C(1) << operand % 64;
    }
}

static void solve(const struct program *program, const struct function *function, uint64_t *sets, size_t words,
                  uint64_t *scratch) {
    struct walk walk = {.sets = sets, .set = scratch, .words = words};
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t i = function->count; i-- > 0;) {
            const struct instruction *instruction = &program->code[function->first + i];
            memset(scratch, 0, words * sizeof *scratch);
            if (!instruction_ends_block(instruction)) {
                add_target(&walk, i + 1);
            }
            instruction_targets(program, instruction, add_target, &walk);
            unsigned writes = instruction_writes(program, instruction);
            for (unsigned k = 0; k < writes; k++) {
                uint32_t reg = instruction->dst + k;
                scratch[reg / 64] &= ~(UINT64_C(1) << reg % 64);
            }
            instruction_reads(program, instruction, add_operand, &walk);
            if (memcmp(sets + i * words, scratch, words * sizeof *scratch) != 0) {
                memcpy(sets + i * words, scratch, words * sizeof *scratch);
                changed = true;
            }
        }
    }
}

void liveness_init(struct liveness *liveness, const struct program *program) {
    liveness->program = program;
    liveness->first = memory_allocate(program->functions_count * sizeof *liveness->first);
    size_t total = 0;
    size_t widest = 1;
    for (uint32_t f = 0; f < program->functions_count; f++) {
        size_t words = liveness_words(program, f);
        liveness->first[f] = total;
        total += words * ((size_t)program->functions[f].count + 1);
        widest = words > widest ? words : widest;
    }
    liveness->words = memory_allocate(total * sizeof *liveness->words);
    uint64_t *scratch = memory_allocate(widest * sizeof *scratch);
    for (uint32_t f = 0; f < program->functions_count; f++) {
        solve(program, &program->functions[f], liveness->words + liveness->first[f], liveness_words(program, f),
              scratch);
    }
    free(scratch);
}

void liveness_delete(struct liveness *liveness) {
    free(liveness->words);
    free(liveness->first);
    liveness->words = NULL;
    liveness->first = NULL;
}

const uint64_t *liveness_before(const struct liveness *liveness, uint32_t function, uint32_t index) {
    return liveness->words + liveness->first[function] + index * liveness_words(liveness->program, function);
}
