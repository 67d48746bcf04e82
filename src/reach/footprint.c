/* See footprint.h.  A fixpoint over all code: first functions as wholes, then each instruction from its successors. */
#include "reach/footprint.h"

#include "ir/sync.h"

#include <stdlib.h>
#include <string.h>

#include "util/memory.h"

static const struct footprint everything = {FOOTPRINT_ALL, FOOTPRINT_ALL};

uint64_t footprint_bits(int64_t row_offset, size_t size) {
    uint64_t bits = 0;
    if (row_offset < 0) {
        return FOOTPRINT_ALL;
    }
    for (uint64_t word = (uint64_t)row_offset / 4; word * 4 < (uint64_t)row_offset + size; word++) {
        bits |= UINT64_C(1) << word % FOOTPRINT_WORDS;
    }
    return bits;
}

/* The words at a constant address, or all words. */
static uint64_t operand_bits(const struct machine *machine, uint32_t operand, size_t size) {
    if (!(operand & OPERAND_CONSTANT)) {
        return ~FOOTPRINT_THREADS;
    }
    uint64_t address = machine_program(machine)->constants[operand & ~OPERAND_CONSTANT];
    return footprint_bits(machine_row_offset(machine, address, size), size);
}

static struct footprint sync_footprint(const struct footprints *footprints, const struct machine *machine,
                                       const struct instruction *instruction) {
    const struct program *program = footprints->program;
    switch (instruction->width) {
    case SYNC_THREAD_CREATE: {
        int64_t function = instruction->a & OPERAND_CONSTANT
                               ? function_at(program, program->constants[instruction->a & ~OPERAND_CONSTANT])
                               : -1;
        if (function < 0) {
            return everything;
        }
        struct footprint print = footprints->whole[function];
        print.writes |= FOOTPRINT_THREADS;
        return print;
    }
    case SYNC_THREAD_EXIT:
        return (struct footprint){FOOTPRINT_THREADS, FOOTPRINT_THREADS};
    default:
        break;
    }
    const struct sync_code *code = &sync_codes()[instruction->width];
    unsigned bytes = sync_table[instruction->width].bytes;
    if (code->instructions && code->uses_records && bytes == 0) {
        return (struct footprint){FOOTPRINT_THREADS, FOOTPRINT_THREADS};
    }
    if (!code->instructions || code->uses_records || code->second > 0) {
        return everything;
    }
    uint64_t bits = operand_bits(machine, instruction->a, bytes);
    return (struct footprint){bits, bits};
}

static struct footprint instruction_footprint(const struct footprints *footprints, const struct machine *machine,
                                              const struct instruction *instruction, bool exits) {
    uint64_t bits;
    switch (instruction->op) {
    case OP_LOAD:
        return (struct footprint){operand_bits(machine, instruction->a, instruction->width), 0};
    case OP_STORE:
        return (struct footprint){0, operand_bits(machine, instruction->a, instruction->width)};
    case OP_RMW:
    case OP_CAS:
        bits = operand_bits(machine, instruction->a, instruction->width);
        return (struct footprint){bits, bits};
    case OP_SYNC:
        return sync_footprint(footprints, machine, instruction);
    case OP_RET:
        return (struct footprint){0, FOOTPRINT_THREADS};
    case OP_CALL:
        return footprints->whole[instruction->a];
    case OP_CALL_INDIRECT:
    case OP_ATOMIC_BEGIN:
    case OP_ATOMIC_END:
        return everything;
    case OP_EXIT:
        return exits ? everything : (struct footprint){0, 0};
    default:
        return (struct footprint){0, 0};
    }
}

struct union_query {
    const struct footprint *future; /* by instruction of the function */
    struct footprint sum;
};

static void add_target(void *data, uint32_t target) {
    struct union_query *query = data;
    footprint_add(&query->sum, query->future[target]);
}

static bool prints_differ(struct footprint one, struct footprint other) {
    return one.reads != other.reads || one.writes != other.writes;
}

void footprints_init(struct footprints *footprints, const struct machine *machine, bool exits) {
    const struct program *program = machine_program(machine);
    footprints->program = program;
    footprints->future = memory_allocate((program->code_count + 1) * sizeof *footprints->future);
    footprints->whole = memory_allocate((program->functions_count + 1) * sizeof *footprints->whole);
    struct footprint *own = memory_allocate((program->code_count + 1) * sizeof *own);
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t f = 0; f < program->functions_count; f++) {
            const struct function *function = &program->functions[f];
            struct footprint sum = {0, 0};
            for (uint32_t i = 0; i < function->count; i++) {
                size_t at = function->first + i;
                own[at] = instruction_footprint(footprints, machine, &program->code[at], exits);
                footprint_add(&sum, own[at]);
            }
            changed = changed || prints_differ(sum, footprints->whole[f]);
            footprints->whole[f] = sum;
        }
    }
    for (changed = true; changed;) {
        changed = false;
        for (size_t f = 0; f < program->functions_count; f++) {
            const struct function *function = &program->functions[f];
            for (uint32_t i = function->count; i-- > 0;) {
                size_t at = function->first + i;
                struct union_query query = {.future = footprints->future + function->first, .sum = own[at]};
                instruction_targets(program, &program->code[at], add_target, &query);
                if (!instruction_ends_block(&program->code[at])) {
                    footprint_add(&query.sum, footprints->future[at + 1]);
                }
                changed = changed || prints_differ(query.sum, footprints->future[at]);
                footprints->future[at] = query.sum;
            }
        }
    }
    free(own);
}

void footprints_delete(struct footprints *footprints) {
    free(footprints->future);
    free(footprints->whole);
}

struct footprint footprint_future(const struct footprints *footprints, const struct machine *machine, uint32_t thread) {
    struct footprint sum = {0, 0};
    for (size_t frame = 0; frame < machine_part_depth(machine, thread); frame++) {
        uint32_t function;
        uint32_t instruction;
        machine_part_frame(machine, thread, frame, &function, &instruction);
        footprint_add(&sum, footprints->future[footprints->program->functions[function].first + instruction]);
    }
    return sum;
}
