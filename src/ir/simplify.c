/* Removes code without effect: unreachable instructions, pure ones whose results are not read, jumps to jumps. */
#include <stdlib.h>

#include "ir/liveness.h"
#include "ir/passes.h"
#include "ir/rewrite.h"
#include "util/memory.h"

#define MAX_DETOUR 64

bool instruction_is_pure(const struct instruction *instruction) {
    switch (instruction->op) {
    case OP_UDIV:
    case OP_SDIV:
    case OP_UREM:
    case OP_SREM:
        return false;
    case OP_WIDE:
        return instruction->sub != OP_UDIV && instruction->sub != OP_SDIV && instruction->sub != OP_UREM &&
               instruction->sub != OP_SREM;
    case OP_ALLOCA:
        return (instruction->flags & INSTRUCTION_PRIVATE) && (instruction->a & OPERAND_CONSTANT);
    default:
        return instruction->op >= OP_MOV && instruction->op <= OP_CHILD;
    }
}

static bool dropped(const struct rewrite *rewrite, uint32_t index) {
    return rewrite->code[index].op == OP_COUNT;
}

static void drop(struct rewrite *rewrite, uint32_t index) {
    rewrite->code[index].op = OP_COUNT;
}

/* The final target of a branch to `target`. */
static uint32_t final_target(const struct rewrite *rewrite, uint32_t target) {
    for (int i = 0; i < MAX_DETOUR; i++) {
        while (dropped(rewrite, target)) {
            target++;
        }
        if (rewrite->code[target].op != OP_JMP || rewrite->code[target].a == target) {
            break;
        }
        target = rewrite->code[target].a;
    }
    return target;
}

static void straighten(struct rewrite *rewrite, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        struct instruction *instruction = &rewrite->code[i];
        if (instruction->op == OP_BR) {
            instruction->b = final_target(rewrite, instruction->b);
            instruction->c = final_target(rewrite, instruction->c);
            bool known = instruction->a & OPERAND_CONSTANT;
            if (known || instruction->b == instruction->c) {
                bool taken = !known || rewrite->program->constants[instruction->a & ~OPERAND_CONSTANT];
                instruction->op = OP_JMP;
                instruction->width = 0;
                instruction->a = taken ? instruction->b : instruction->c;
                instruction->b = instruction->c = 0;
            }
        } else if (instruction->op == OP_JMP) {
            instruction->a = final_target(rewrite, instruction->a);
        }
    }
}

struct reach {
    uint8_t *seen;
    uint32_t *stack;
    uint32_t depth;
};

static void reach(void *data, uint32_t target) {
    struct reach *reached = data;
    if (!reached->seen[target]) {
        reached->seen[target] = 1;
        reached->stack[reached->depth++] = target;
    }
}

static void drop_unreachable(struct rewrite *rewrite, uint32_t count) {
    struct reach reached = {
        .seen = memory_allocate((size_t)count + 1),
        .stack = memory_allocate(((size_t)count + 1) * sizeof(uint32_t)),
    };
    reach(&reached, 0);
    while (reached.depth > 0) {
        uint32_t at = reached.stack[--reached.depth];
        const struct instruction *instruction = &rewrite->code[at];
        if (dropped(rewrite, at)) {
            reach(&reached, at + 1);
            continue;
        }
        instruction_targets(rewrite->program, instruction, reach, &reached);
        if (!instruction_ends_block(instruction)) {
            reach(&reached, at + 1);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!reached.seen[i]) {
            drop(rewrite, i);
        }
    }
    free(reached.seen);
    free(reached.stack);
}

struct reads {
    uint32_t *counts;
    int change;
};

static void count_read(void *data, uint32_t operand) {
    struct reads *reads = data;
    if (!(operand & OPERAND_CONSTANT)) {
        reads->counts[operand] += (uint32_t)reads->change;
    }
}

static bool unread(const struct rewrite *rewrite, const struct reads *reads, const struct instruction *instruction) {
    unsigned writes = instruction_writes(rewrite->program, instruction);
    for (unsigned k = 0; k < writes; k++) {
        if (reads->counts[instruction->dst + k] > 0) {
            return false;
        }
    }
    return true;
}

static void drop_unread(struct rewrite *rewrite, uint32_t count) {
    struct reads reads = {memory_allocate(((size_t)rewrite->registers + 1) * sizeof(uint32_t)), 1};
    for (uint32_t i = 0; i < count; i++) {
        if (!dropped(rewrite, i)) {
            instruction_reads(rewrite->program, &rewrite->code[i], count_read, &reads);
        }
    }
    reads.change = -1;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = count; i-- > 0;) {
            const struct instruction *instruction = &rewrite->code[i];
            if (!dropped(rewrite, i) && instruction_is_pure(instruction) && unread(rewrite, &reads, instruction)) {
                instruction_reads(rewrite->program, instruction, count_read, &reads);
                drop(rewrite, i);
                changed = true;
            }
        }
    }
    free(reads.counts);
}

/* Drops jumps to the next instruction. */
static void drop_idle_jumps(struct rewrite *rewrite, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (rewrite->code[i].op != OP_JMP || rewrite->code[i].a <= i) {
            continue;
        }
        uint32_t next = i + 1;
        while (next < rewrite->code[i].a && dropped(rewrite, next)) {
            next++;
        }
        if (next == rewrite->code[i].a) {
            drop(rewrite, i);
        }
    }
}

static void simplify(struct rewrite *rewrite, void *data) {
    (void)data;
    uint32_t count = rewrite->program->functions[rewrite->function].count;
    straighten(rewrite, count);
    drop_unreachable(rewrite, count);
    drop_unread(rewrite, count);
    drop_idle_jumps(rewrite, count);
}

void pass_simplify(struct program *program) {
    program_rewrite(program, simplify, NULL);
}

/* Goes through the block backwards with the live registers, without those that only dropped instructions read, so that
 * the instructions that write these are dropped too. */
static void drop_dead_in(struct rewrite *rewrite, const struct flow *flow, uint32_t block, struct live_set *live,
                         bool *found) {
    const struct block *at = &flow->blocks[block];
    for (uint32_t i = at->end; i-- > at->first;) {
        const struct instruction *instruction = &flow->code[i];
        unsigned writes = instruction_writes(flow->program, instruction);
        bool used = writes == 0 || !instruction_is_pure(instruction) || instruction_ends_block(instruction);
        for (unsigned k = 0; k < writes; k++) {
            used = used || live_set_has(live, instruction->dst + k);
        }
        if (used) {
            live_set_before(live, flow->program, instruction);
        } else {
            drop(rewrite, i);
            *found = true;
        }
    }
}

static void drop_dead(struct rewrite *rewrite, void *data) {
    struct flow flow;
    struct block_liveness blocks;
    struct live_set live;
    if (rewrite->program->functions[rewrite->function].count == 0) {
        return;
    }
    flow_init(&flow, rewrite->program, rewrite->function);
    block_liveness_init(&blocks, &flow);
    live_set_init(&live, rewrite->registers);
    for (uint32_t b = 0; b < flow.blocks_count; b++) {
        live_set_after(&live, &flow, &blocks, b);
        drop_dead_in(rewrite, &flow, b, &live, data);
    }
    live_set_delete(&live);
    block_liveness_delete(&blocks);
    flow_delete(&flow);
}

void pass_drop_dead(struct program *program) {
    bool found;
    do {
        found = false;
        program_rewrite(program, drop_dead, &found);
    } while (found);
}
