/* Register allocation: registers that are never alive at the same time share a number, and a move between two that can
 * share one disappears.
 *
 * Registers that an instruction reads or writes as a pair or a row stay adjacent: a row is placed as a whole.
 * Parameters keep their numbers. */
#include <stdlib.h>

#include "ir/liveness.h"
#include "ir/passes.h"
#include "ir/rewrite.h"
#include "util/memory.h"
#include "util/number_set.h"
#include "util/vector.h"

#define MUCH_LONGER 1000

struct allocation {
    const struct program *program;
    const struct function *function;
    const struct instruction *code;
    uint32_t registers;
    struct vector *conflicts; /* by register: those that are alive at the same time, of uint32_t */
    struct number_set pairs;  /* the same as pairs of registers */
    uint32_t *shares;         /* register -> the one whose number it takes */
    uint8_t *linked;          /* registers r and r + 1 stay adjacent */
    uint32_t *number;         /* the result, UINT32_MAX while unknown */
    uint32_t *taken;          /* by number: the register + 1 for which it was last found to be taken */
};

/* The register whose number this one takes in the end; shortens the path there for the next time. */
static uint32_t representative(const struct allocation *allocation, uint32_t reg) {
    uint32_t *shares = allocation->shares;
    while (shares[reg] != reg) {
        shares[reg] = shares[shares[reg]];
        reg = shares[reg];
    }
    return reg;
}

/* --- Who is alive with whom --------------------------------------------------------------------------------------- */

static uint64_t pair_of(uint32_t one, uint32_t other) {
    return (uint64_t)(one < other ? one : other) << 32 | (one < other ? other : one);
}

static bool conflict(const struct allocation *allocation, uint32_t one, uint32_t other) {
    return number_set_has(&allocation->pairs, pair_of(one, other));
}

static void add_conflict(struct allocation *allocation, uint32_t one, uint32_t other) {
    if (one != other && number_set_add(&allocation->pairs, pair_of(one, other))) {
        vector_push(&allocation->conflicts[one], &other);
        vector_push(&allocation->conflicts[other], &one);
    }
}

/* The registers that an instruction writes are alive together with all that are live after it; but a copy and its
 * origin hold the same value. */
static void add_written(struct allocation *allocation, const struct instruction *instruction,
                        const struct live_set *live) {
    unsigned writes = instruction_writes(allocation->program, instruction);
    bool copies = instruction->op == OP_MOV && !(instruction->a & OPERAND_CONSTANT);
    for (unsigned k = 0; k < writes; k++) {
        for (uint32_t i = 0; i < live->count; i++) {
            if (!copies || live->members[i] != instruction->a) {
                add_conflict(allocation, instruction->dst + k, live->members[i]);
            }
        }
        for (unsigned other = 0; other < k; other++) {
            add_conflict(allocation, instruction->dst + k, instruction->dst + other);
        }
    }
}

static void find_conflicts(struct allocation *allocation, uint32_t function) {
    struct flow flow;
    struct block_liveness blocks;
    struct live_set live;
    flow_init(&flow, allocation->program, function);
    block_liveness_init(&blocks, &flow);
    live_set_init(&live, allocation->registers);
    for (uint32_t b = 0; b < flow.blocks_count; b++) {
        live_set_after(&live, &flow, &blocks, b);
        for (uint32_t i = flow.blocks[b].end; i-- > flow.blocks[b].first;) {
            add_written(allocation, &flow.code[i], &live);
            live_set_before(&live, allocation->program, &flow.code[i]);
        }
    }
    /* Parameters are alive together at the start. */
    for (uint32_t p = 0; p < allocation->function->parameters; p++) {
        for (uint32_t q = 0; q < p; q++) {
            add_conflict(allocation, p, q);
        }
        for (size_t i = blocks.first[0]; i < blocks.first[1]; i++) {
            add_conflict(allocation, p, blocks.registers[i]);
        }
    }
    live_set_delete(&live);
    block_liveness_delete(&blocks);
    flow_delete(&flow);
}

/* --- Rows --------------------------------------------------------------------------------------------------------- */

static void find_links(struct allocation *allocation) {
    for (uint32_t i = 0; i < allocation->function->count; i++) {
        const struct instruction *instruction = &allocation->code[i];
        unsigned writes = instruction_writes(allocation->program, instruction);
        for (unsigned k = 0; k + 1 < writes; k++) {
            allocation->linked[instruction->dst + k] = 1;
        }
        const uint32_t fields[] = {instruction->a, instruction->b, instruction->c};
        const char *shape = op_table[instruction->op].shape + 1;
        for (int f = 0; f < 3; f++) {
            bool access = instruction->op >= OP_LOAD && instruction->op <= OP_CAS;
            bool wide = shape[f] == 'R' || (shape[f] == 'v' && instruction->width > (access ? 8 : 64));
            if (wide && !(fields[f] & OPERAND_CONSTANT)) {
                allocation->linked[fields[f]] = 1;
            }
        }
    }
}

static bool in_row(const struct allocation *allocation, uint32_t reg) {
    return allocation->linked[reg] || (reg > 0 && allocation->linked[reg - 1]);
}

/* --- Sharing ------------------------------------------------------------------------------------------------------ */

static void share_moves(struct allocation *allocation) {
    for (uint32_t i = 0; i < allocation->function->count; i++) {
        const struct instruction *instruction = &allocation->code[i];
        if (instruction->op != OP_MOV || (instruction->a & OPERAND_CONSTANT)) {
            continue;
        }
        uint32_t to = representative(allocation, instruction->dst);
        uint32_t from = representative(allocation, instruction->a);
        if (to == from || in_row(allocation, instruction->dst) || in_row(allocation, instruction->a) ||
            in_row(allocation, to) || in_row(allocation, from) || conflict(allocation, to, from) ||
            (to < allocation->function->parameters && from < allocation->function->parameters)) {
            continue;
        }
        /* A parameter keeps its number; and conflicts are copied from the shorter list to a much longer one. */
        size_t longest = allocation->conflicts[to].count + MUCH_LONGER;
        if (from < allocation->function->parameters ||
            (to >= allocation->function->parameters && allocation->conflicts[from].count > longest)) {
            uint32_t other = to;
            to = from;
            from = other;
        }
        allocation->shares[from] = to;
        for (size_t k = 0; k < allocation->conflicts[from].count; k++) {
            add_conflict(allocation, to, *(uint32_t *)vector_at(&allocation->conflicts[from], k));
        }
    }
}

/* The lowest number at which the row of `length` registers from `reg` on can be placed. */
static uint32_t first_free(struct allocation *allocation, uint32_t reg, uint32_t length) {
    for (uint32_t k = 0; k < length; k++) {
        const struct vector *conflicts = &allocation->conflicts[reg + k];
        for (size_t i = 0; i < conflicts->count; i++) {
            uint32_t other = representative(allocation, *(uint32_t *)vector_at(conflicts, i));
            uint32_t number = allocation->number[other];
            if (other != reg + k && number != UINT32_MAX && number >= k) {
                allocation->taken[number - k] = reg + 1;
            }
        }
    }
    uint32_t number = 0;
    while (allocation->taken[number] == reg + 1) {
        number++;
    }
    return number;
}

static uint32_t give_numbers(struct allocation *allocation) {
    uint32_t fixed = allocation->function->parameters;
    while (fixed > 0 && allocation->linked[fixed - 1]) {
        fixed++; /* a row that begins with a parameter */
    }
    uint32_t used = fixed;
    for (uint32_t r = 0; r < allocation->registers; r++) {
        allocation->number[r] = r < fixed ? r : UINT32_MAX;
    }
    for (uint32_t r = fixed; r < allocation->registers;) {
        uint32_t length = 1;
        while (allocation->linked[r + length - 1]) {
            length++;
        }
        if (allocation->shares[r] == r) {
            uint32_t number = first_free(allocation, r, length);
            for (uint32_t k = 0; k < length; k++) {
                allocation->number[r + k] = number + k;
            }
            used = number + length > used ? number + length : used;
        }
        r += length;
    }
    for (uint32_t r = 0; r < allocation->registers; r++) {
        allocation->number[r] = allocation->number[representative(allocation, r)];
    }
    return used;
}

static void compact(struct rewrite *rewrite, void *data) {
    (void)data;
    const struct program *program = rewrite->program;
    const struct function *function = &program->functions[rewrite->function];
    if (function->registers == 0) {
        return;
    }
    struct allocation allocation = {
        .program = program,
        .function = function,
        .code = function_code(program, rewrite->function),
        .registers = function->registers,
    };
    allocation.conflicts = memory_allocate(allocation.registers * sizeof *allocation.conflicts);
    allocation.shares = memory_allocate(allocation.registers * sizeof(uint32_t));
    allocation.linked = memory_allocate((size_t)allocation.registers + 1);
    allocation.number = memory_allocate(allocation.registers * sizeof(uint32_t));
    allocation.taken = memory_allocate(((size_t)allocation.registers + 1) * sizeof(uint32_t));
    number_set_init(&allocation.pairs);
    for (uint32_t r = 0; r < allocation.registers; r++) {
        allocation.shares[r] = r;
        vector_init(&allocation.conflicts[r], sizeof(uint32_t));
    }
    find_conflicts(&allocation, rewrite->function);
    find_links(&allocation);
    share_moves(&allocation);
    rewrite->registers = give_numbers(&allocation);
    for (uint32_t i = 0; i < function->count; i++) {
        const struct instruction *instruction = &rewrite->code[i];
        if (instruction->op == OP_MOV && !(instruction->a & OPERAND_CONSTANT) &&
            allocation.number[instruction->dst] == allocation.number[instruction->a]) {
            rewrite->code[i].op = OP_COUNT;
        }
    }
    rewrite->rename = allocation.number; /* freed with the rewrite */
    for (uint32_t r = 0; r < allocation.registers; r++) {
        vector_delete(&allocation.conflicts[r]);
    }
    free(allocation.conflicts);
    free(allocation.shares);
    free(allocation.linked);
    free(allocation.taken);
    number_set_delete(&allocation.pairs);
}

void pass_compact(struct program *program) {
    program_rewrite(program, compact, NULL);
}
