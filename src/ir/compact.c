/* Register allocation: registers that are never alive at the same time share a number, and a move between two that can
 * share one disappears.
 *
 * Registers that an instruction reads or writes as a pair or a row stay side by side: a row of them is placed as one.
 * Parameters keep their numbers.  Functions with very many registers are left as they are. */
#include <stdlib.h>
#include <string.h>

#include "ir/liveness.h"
#include "ir/passes.h"
#include "ir/rewrite.h"
#include "util/memory.h"

#define MAX_COMPACTED 6000

struct allocation {
    const struct program *program;
    const struct function *function;
    const struct instruction *code;
    uint32_t registers;
    size_t words;       /* of a row of the matrix */
    uint64_t *together; /* matrix: bit r of row d: r and d are alive together */
    uint32_t *shares;   /* register -> the one whose number it takes */
    uint8_t *linked;    /* register r and r + 1 stay side by side */
    uint32_t *number;   /* the result, UINT32_MAX while unknown */
};

static uint64_t *row(const struct allocation *allocation, uint32_t reg) {
    return allocation->together + reg * allocation->words;
}

static bool has(const uint64_t *set, uint32_t reg) {
    return set[reg / 64] >> reg % 64 & 1;
}

static void put(uint64_t *set, uint32_t reg) {
    set[reg / 64] |= UINT64_C(1) << reg % 64;
}

static uint32_t representative(const struct allocation *allocation, uint32_t reg) {
    while (allocation->shares[reg] != reg) {
        reg = allocation->shares[reg];
    }
    return reg;
}

/* --- Who is alive with whom --------------------------------------------------------------------------------------- */

struct live_union {
    const struct liveness *liveness;
    uint32_t function;
    uint64_t *set;
    size_t words;
};

static void add_live(void *data, uint32_t target) {
    struct live_union *live = data;
    const uint64_t *set = liveness_before(live->liveness, live->function, target);
    for (size_t w = 0; w < live->words; w++) {
        live->set[w] |= set[w];
    }
}

static void find_conflicts(struct allocation *allocation, const struct liveness *liveness, uint32_t function) {
    uint64_t *after = memory_allocate((allocation->words + 1) * sizeof *after);
    struct live_union live = {liveness, function, after, allocation->words};
    for (uint32_t i = 0; i < allocation->function->count; i++) {
        const struct instruction *instruction = &allocation->code[i];
        unsigned writes = instruction_writes(allocation->program, instruction);
        if (writes == 0) {
            continue;
        }
        memset(after, 0, allocation->words * sizeof *after);
        if (!instruction_ends_block(instruction)) {
            add_live(&live, i + 1);
        }
        instruction_targets(allocation->program, instruction, add_live, &live);
        for (unsigned k = 0; k < writes; k++) {
            put(after, instruction->dst + k);
        }
        for (unsigned k = 0; k < writes; k++) {
            uint64_t *conflicts = row(allocation, instruction->dst + k);
            bool was =
                instruction->op == OP_MOV && !(instruction->a & OPERAND_CONSTANT) && has(conflicts, instruction->a);
            for (size_t w = 0; w < allocation->words; w++) {
                conflicts[w] |= after[w];
            }
            /* A copy and its origin hold the same value. */
            if (instruction->op == OP_MOV && !(instruction->a & OPERAND_CONSTANT) && !was) {
                conflicts[instruction->a / 64] &= ~(UINT64_C(1) << instruction->a % 64);
            }
        }
    }
    free(after);
    /* Parameters all arrive at once. */
    for (uint32_t p = 0; p < allocation->function->parameters; p++) {
        for (uint32_t q = 0; q < allocation->function->parameters; q++) {
            put(row(allocation, p), q);
        }
        const uint64_t *entry = liveness_before(liveness, function, 0);
        for (size_t w = 0; w < allocation->words; w++) {
            row(allocation, p)[w] |= entry[w];
        }
    }
    for (uint32_t r = 0; r < allocation->registers; r++) {
        for (uint32_t other = 0; other < allocation->registers; other++) {
            if (has(row(allocation, r), other)) {
                put(row(allocation, other), r);
            }
        }
    }
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
            in_row(allocation, to) || in_row(allocation, from) || has(row(allocation, to), from) ||
            (to < allocation->function->parameters && from < allocation->function->parameters)) {
            continue;
        }
        if (from < allocation->function->parameters) {
            uint32_t other = to;
            to = from;
            from = other;
        }
        allocation->shares[from] = to;
        for (uint32_t r = 0; r < allocation->registers; r++) {
            if (has(row(allocation, from), r)) {
                put(row(allocation, to), r);
                put(row(allocation, r), to);
            }
        }
    }
}

/* Can the row of `length` registers from `reg` on be placed at `number`? */
static bool fits(const struct allocation *allocation, uint32_t reg, uint32_t length, uint32_t number) {
    for (uint32_t k = 0; k < length; k++) {
        const uint64_t *conflicts = row(allocation, reg + k);
        for (size_t w = 0; w < allocation->words; w++) {
            for (uint64_t set = conflicts[w]; set; set &= set - 1) {
                uint32_t other = (uint32_t)w * 64 + (uint32_t)__builtin_ctzll(set);
                if (other != reg + k && allocation->number[representative(allocation, other)] == number + k &&
                    representative(allocation, other) != reg + k) {
                    return false;
                }
            }
        }
    }
    return true;
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
            uint32_t number = 0;
            while (!fits(allocation, r, length, number)) {
                number++;
            }
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
    const struct liveness *liveness = data;
    const struct program *program = rewrite->program;
    const struct function *function = &program->functions[rewrite->function];
    if (function->registers > MAX_COMPACTED || function->registers == 0) {
        return;
    }
    struct allocation allocation = {
        .program = program,
        .function = function,
        .code = function_code(program, rewrite->function),
        .registers = function->registers,
        .words = liveness_words(program, rewrite->function),
    };
    allocation.together = memory_allocate(allocation.registers * allocation.words * sizeof(uint64_t));
    allocation.shares = memory_allocate(allocation.registers * sizeof(uint32_t));
    allocation.linked = memory_allocate((size_t)allocation.registers + 1);
    allocation.number = memory_allocate(allocation.registers * sizeof(uint32_t));
    for (uint32_t r = 0; r < allocation.registers; r++) {
        allocation.shares[r] = r;
    }
    find_conflicts(&allocation, liveness, rewrite->function);
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
    free(allocation.together);
    free(allocation.shares);
    free(allocation.linked);
}

void pass_compact(struct program *program) {
    struct liveness liveness;
    liveness_init(&liveness, program);
    program_rewrite(program, compact, &liveness);
    liveness_delete(&liveness);
}
