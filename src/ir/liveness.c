/* Works register by register: from each block that reads a register before writing it, backwards through the blocks
 * that do not write it.  That takes time in proportion to the live ranges, not to the number of registers times the
 * number of blocks. */
#include "ir/liveness.h"

#include <stdlib.h>
#include <string.h>

#include "util/memory.h"
#include "util/vector.h"

/* --- Of blocks ---------------------------------------------------------------------------------------------------- */

/* A register and a block that reads it first, or that writes it. */
struct mention {
    uint32_t reg;
    uint32_t block;
};

/* Mentions in the order of blocks, as they are found, then sorted by register. */
struct mentions {
    struct vector list;   /* of struct mention */
    uint32_t *last_block; /* by register: the last block added for it, + 1 */
    size_t *first;        /* by register, once sorted */
};

static void mentions_init(struct mentions *mentions, uint32_t registers) {
    vector_init(&mentions->list, sizeof(struct mention));
    mentions->last_block = memory_allocate(((size_t)registers + 1) * sizeof *mentions->last_block);
    mentions->first = NULL;
}

static void mentions_delete(struct mentions *mentions) {
    vector_delete(&mentions->list);
    free(mentions->last_block);
    free(mentions->first);
}

static void mentions_add(struct mentions *mentions, uint32_t reg, uint32_t block) {
    if (mentions->last_block[reg] != block + 1) {
        mentions->last_block[reg] = block + 1;
        vector_push(&mentions->list, &(struct mention){reg, block});
    }
}

/* Sorts by register; blocks stay in their order. */
static void mentions_sort(struct mentions *mentions, uint32_t registers) {
    size_t count = mentions->list.count;
    struct mention *sorted = memory_allocate((count + 1) * sizeof *sorted);
    mentions->first = memory_allocate(((size_t)registers + 2) * sizeof *mentions->first);
    const struct mention *list = mentions->list.data;
    for (size_t i = 0; i < count; i++) {
        mentions->first[list[i].reg + 2]++;
    }
    for (uint32_t r = 0; r < registers; r++) {
        mentions->first[r + 2] += mentions->first[r + 1];
    }
    for (size_t i = 0; i < count; i++) {
        sorted[mentions->first[list[i].reg + 1]++] = list[i];
    }
    free(mentions->list.data);
    mentions->list.data = sorted;
}

struct scan {
    struct mentions reads; /* before any write in the block */
    struct mentions writes;
    uint32_t block;
};

static void scan_read(void *data, uint32_t operand) {
    struct scan *scan = data;
    if (!(operand & OPERAND_CONSTANT) && scan->writes.last_block[operand] != scan->block + 1) {
        mentions_add(&scan->reads, operand, scan->block);
    }
}

static void scan_blocks(struct scan *scan, const struct flow *flow) {
    for (scan->block = 0; scan->block < flow->blocks_count; scan->block++) {
        const struct block *block = &flow->blocks[scan->block];
        for (uint32_t i = block->first; i < block->end; i++) {
            const struct instruction *instruction = &flow->code[i];
            instruction_reads(flow->program, instruction, scan_read, scan);
            unsigned writes = instruction_writes(flow->program, instruction);
            for (unsigned k = 0; k < writes; k++) {
                mentions_add(&scan->writes, instruction->dst + k, scan->block);
            }
        }
    }
}

/* Adds to `found` the blocks at whose start a register is live.  `marks` has for each block the register, + 1, for
 * which it was visited (low half) and is known to write it (high half). */
static void find_range(const struct flow *flow, const struct scan *scan, uint32_t reg, uint64_t *marks,
                       struct vector *stack, struct vector *found) {
    const struct mention *writes = scan->writes.list.data;
    const struct mention *reads = scan->reads.list.data;
    uint64_t mark = (uint64_t)reg + 1;
    for (size_t i = scan->writes.first[reg]; i < scan->writes.first[reg + 1]; i++) {
        marks[writes[i].block] = mark << 32;
    }
    for (size_t i = scan->reads.first[reg]; i < scan->reads.first[reg + 1]; i++) {
        vector_push(stack, &reads[i].block);
    }
    while (stack->count > 0) {
        uint32_t b = *(uint32_t *)vector_at(stack, --stack->count);
        if ((uint32_t)marks[b] == (uint32_t)mark) {
            continue;
        }
        marks[b] = (marks[b] & ~(uint64_t)UINT32_MAX) | mark;
        vector_push(found, &(struct mention){reg, b});
        const struct block *block = &flow->blocks[b];
        for (uint32_t k = 0; k < block->predecessors_count; k++) {
            uint32_t before = flow->edges[block->predecessors + k];
            if (marks[before] >> 32 != mark) {
                vector_push(stack, &before);
            }
        }
    }
}

/* Lists of registers by block, from the blocks by register. */
static void sort_by_block(struct block_liveness *blocks, const struct vector *found, uint32_t blocks_count) {
    const struct mention *list = found->data;
    blocks->first = memory_allocate(((size_t)blocks_count + 2) * sizeof *blocks->first);
    blocks->registers = memory_allocate((found->count + 1) * sizeof *blocks->registers);
    for (size_t i = 0; i < found->count; i++) {
        blocks->first[list[i].block + 2]++;
    }
    for (uint32_t b = 0; b < blocks_count; b++) {
        blocks->first[b + 2] += blocks->first[b + 1];
    }
    for (size_t i = 0; i < found->count; i++) {
        blocks->registers[blocks->first[list[i].block + 1]++] = list[i].reg;
    }
}

void block_liveness_init(struct block_liveness *blocks, const struct flow *flow) {
    uint32_t registers = flow->function->registers;
    struct scan scan;
    struct vector stack;
    struct vector found;
    mentions_init(&scan.reads, registers);
    mentions_init(&scan.writes, registers);
    vector_init(&stack, sizeof(uint32_t));
    vector_init(&found, sizeof(struct mention));
    scan_blocks(&scan, flow);
    mentions_sort(&scan.reads, registers);
    mentions_sort(&scan.writes, registers);
    uint64_t *marks = memory_allocate(((size_t)flow->blocks_count + 1) * sizeof *marks);
    for (uint32_t r = 0; r < registers; r++) {
        find_range(flow, &scan, r, marks, &stack, &found);
    }
    sort_by_block(blocks, &found, flow->blocks_count);
    free(marks);
    vector_delete(&stack);
    vector_delete(&found);
    mentions_delete(&scan.reads);
    mentions_delete(&scan.writes);
}

void block_liveness_delete(struct block_liveness *blocks) {
    free(blocks->registers);
    free(blocks->first);
}

/* --- Sets --------------------------------------------------------------------------------------------------------- */

void live_set_init(struct live_set *set, uint32_t registers) {
    set->members = memory_allocate(((size_t)registers + 1) * sizeof *set->members);
    set->at = memory_allocate(((size_t)registers + 1) * sizeof *set->at);
    set->count = 0;
}

void live_set_delete(struct live_set *set) {
    free(set->members);
    free(set->at);
}

bool live_set_has(const struct live_set *set, uint32_t reg) {
    return set->at[reg] < set->count && set->members[set->at[reg]] == reg;
}

static void set_add(struct live_set *set, uint32_t reg) {
    if (!live_set_has(set, reg)) {
        set->at[reg] = set->count;
        set->members[set->count++] = reg;
    }
}

static void set_remove(struct live_set *set, uint32_t reg) {
    if (live_set_has(set, reg)) {
        uint32_t last = set->members[--set->count];
        set->members[set->at[reg]] = last;
        set->at[last] = set->at[reg];
    }
}

void live_set_after(struct live_set *set, const struct flow *flow, const struct block_liveness *blocks,
                    uint32_t block) {
    const struct block *at = &flow->blocks[block];
    set->count = 0;
    for (uint32_t k = 0; k < at->successors_count; k++) {
        uint32_t next = flow->edges[at->successors + k];
        for (size_t i = blocks->first[next]; i < blocks->first[next + 1]; i++) {
            set_add(set, blocks->registers[i]);
        }
    }
}

static void add_read(void *data, uint32_t operand) {
    if (!(operand & OPERAND_CONSTANT)) {
        set_add(data, operand);
    }
}

void live_set_before(struct live_set *set, const struct program *program, const struct instruction *instruction) {
    unsigned writes = instruction_writes(program, instruction);
    for (unsigned k = 0; k < writes; k++) {
        set_remove(set, instruction->dst + k);
    }
    instruction_reads(program, instruction, add_read, set);
}

/* --- Of instructions ---------------------------------------------------------------------------------------------- */

static void fill_sets(const struct program *program, uint32_t function, uint64_t *sets) {
    size_t words = liveness_words(program, function);
    struct flow flow;
    struct block_liveness blocks;
    struct live_set set;
    flow_init(&flow, program, function);
    block_liveness_init(&blocks, &flow);
    live_set_init(&set, program->functions[function].registers);
    for (uint32_t b = 0; b < flow.blocks_count; b++) {
        live_set_after(&set, &flow, &blocks, b);
        for (uint32_t i = flow.blocks[b].end; i-- > flow.blocks[b].first;) {
            live_set_before(&set, program, &flow.code[i]);
            for (uint32_t k = 0; k < set.count; k++) {
                sets[i * words + set.members[k] / 64] |= UINT64_C(1) << set.members[k] % 64;
            }
        }
    }
    live_set_delete(&set);
    block_liveness_delete(&blocks);
    flow_delete(&flow);
}

void liveness_init(struct liveness *liveness, const struct program *program) {
    liveness->program = program;
    liveness->first = memory_allocate(program->functions_count * sizeof *liveness->first);
    size_t total = 0;
    for (uint32_t f = 0; f < program->functions_count; f++) {
        liveness->first[f] = total;
        total += liveness_words(program, f) * ((size_t)program->functions[f].count + 1);
    }
    liveness->words = memory_allocate(total * sizeof *liveness->words);
    for (uint32_t f = 0; f < program->functions_count; f++) {
        if (program->functions[f].count > 0) {
            fill_sets(program, f, liveness->words + liveness->first[f]);
        }
    }
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
