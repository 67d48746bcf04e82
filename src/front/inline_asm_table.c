/* The table of x86 instructions, and the code of each.
 *
 * A locked instruction on memory is one atomic step; without the prefix it is a load, a local operation and a store, as
 * on the machine.  Operands are in AT&T order: the destination last. */
#include <string.h>

#include "front/inline_asm_state.h"

#define MAX_LOCATIONS 3

struct asm_instruction {
    const struct asm_row *row;
    struct asm_location locations[MAX_LOCATIONS];
    uint32_t count;
    uint32_t width; /* bits */
};

enum asm_row_flag {
    ROW_SUFFIX = 1,    /* the mnemonic may end in b, w, l or q */
    ROW_LOCKABLE = 2,  /* may have the lock prefix */
    ROW_NO_WIDTH = 4,  /* needs no operand size */
    ROW_CONDITION = 8, /* the mnemonic ends in a condition */
    ROW_IGNORED = 16,  /* operands are ignored */
};

struct asm_row {
    const char *mnemonic;
    void (*lower)(struct asm_state *state, struct asm_instruction *instruction);
    uint8_t locations;
    uint8_t flags;
    uint8_t selector; /* a parameter of the handler */
    uint8_t other;
};

static uint32_t ones(struct asm_state *state, uint32_t width) {
    return asm_constant(state, UINT64_MAX >> (64 - width));
}

static struct asm_location *source(struct asm_instruction *instruction) {
    return &instruction->locations[0];
}

static struct asm_location *destination(struct asm_instruction *instruction) {
    return &instruction->locations[instruction->count - 1];
}

static void set_flags(struct asm_state *state, enum asm_flags_kind kind, uint32_t width, uint32_t a, uint32_t b) {
    state->flags = (struct asm_flags){.kind = kind, .width = width, .a = a, .b = b};
}

/* One atomic step on memory; returns the old value. */
static uint32_t locked(struct asm_state *state, const struct asm_location *location, uint32_t width, enum rmw_kind kind,
                       uint32_t value) {
    uint32_t old = asm_emit(state, OP_RMW, width / 8, ORDER_SEQ_CST, location->address, value, kind);
    builder_at(state->builder, builder_here(state->builder) - 1)->flags = INSTRUCTION_ATOMIC | INSTRUCTION_VOLATILE;
    return old;
}

/* Compare and swap; returns the old value, and the flag is after it (after the pair for 16 bytes). */
static uint32_t locked_compare(struct asm_state *state, const struct asm_location *location, uint32_t bytes,
                               uint32_t expected, uint32_t desired) {
    uint32_t old = asm_emit(state, OP_CAS, bytes, ORDER_SEQ_CST, location->address, expected, desired);
    *state->next_register += bytes > 8 ? 2 : 1;
    builder_at(state->builder, builder_here(state->builder) - 1)->flags = INSTRUCTION_ATOMIC | INSTRUCTION_VOLATILE;
    return old;
}

static uint32_t pair(struct asm_state *state, uint32_t low, uint32_t high) {
    uint32_t first = asm_emit(state, OP_MOV, 64, 0, low, 0, 0);
    asm_emit(state, OP_MOV, 64, 0, high, 0, 0);
    return first;
}

/* ---- Moving ---- */

static void lower_mov(struct asm_state *state, struct asm_instruction *instruction) {
    uint32_t value = asm_location_read(state, source(instruction), instruction->width);
    asm_location_write(state, destination(instruction), instruction->width, value);
}

/* selector: width of the source, 0 if its operand has it; other: width of the destination, likewise; the fourth letter
 * of the mnemonic has the sign: movz.., movs... */
static void lower_extend(struct asm_state *state, struct asm_instruction *instruction) {
    uint32_t from = instruction->row->selector ? instruction->row->selector : source(instruction)->width;
    uint32_t to = instruction->row->other ? instruction->row->other : destination(instruction)->width;
    if (from == 0 || to < from) {
        asm_refuse(state, "operand sizes are not known");
        return;
    }
    uint32_t value = asm_location_read(state, source(instruction), from);
    if (instruction->row->mnemonic[3] == 's') {
        value = asm_emit(state, OP_SEXT, from, to, value, 0, 0);
    }
    asm_location_write(state, destination(instruction), to, value);
}

/* With memory it is locked, with or without the prefix. */
static void lower_xchg(struct asm_state *state, struct asm_instruction *instruction) {
    struct asm_location *a = source(instruction);
    struct asm_location *b = destination(instruction);
    uint32_t width = instruction->width;
    if (b->kind != ASM_LOCATION_MEMORY) {
        struct asm_location *swap = a;
        a = b;
        b = swap;
    }
    uint32_t value = asm_location_read(state, a, width);
    uint32_t old;
    if (b->kind == ASM_LOCATION_MEMORY) {
        old = locked(state, b, width, RMW_XCHG, value);
    } else {
        old = asm_location_read(state, b, width);
        asm_location_write(state, b, width, value);
    }
    asm_location_write(state, a, width, old);
}

static void lower_lea(struct asm_state *state, struct asm_instruction *instruction) {
    const struct asm_location *from = source(instruction);
    if (from->kind != ASM_LOCATION_MEMORY) {
        asm_refuse(state, "not an address in memory");
        return;
    }
    uint32_t address = from->address;
    if (instruction->width < 64) {
        address = asm_emit(state, OP_TRUNC, instruction->width, 0, address, 0, 0);
    }
    asm_location_write(state, destination(instruction), instruction->width, address);
}

static void lower_push(struct asm_state *state, struct asm_instruction *instruction) {
    if (state->pushed_count == ASM_MAX_PUSHED) {
        asm_refuse(state, "too many values on the stack");
        return;
    }
    state->pushed[state->pushed_count++] = asm_location_read(state, source(instruction), 64);
}

static void lower_pop(struct asm_state *state, struct asm_instruction *instruction) {
    if (state->pushed_count == 0) {
        asm_refuse(state, "nothing on the stack");
        return;
    }
    asm_location_write(state, source(instruction), 64, state->pushed[--state->pushed_count]);
}

/* selector: a condition is part of the mnemonic, and its index is in `width`: see condition_row. */
static void lower_set(struct asm_state *state, struct asm_instruction *instruction) {
    uint32_t value = asm_condition_value(state, (int)instruction->width);
    asm_location_write(state, source(instruction), 8, value);
}

static void lower_cmov(struct asm_state *state, struct asm_instruction *instruction) {
    struct asm_location *to = destination(instruction);
    uint32_t width = to->width ? to->width : source(instruction)->width;
    if (width < 16 || width > 64) {
        asm_refuse(state, "operand sizes are not known");
        return;
    }
    uint32_t condition = asm_condition_value(state, (int)instruction->width);
    uint32_t value = asm_location_read(state, source(instruction), width);
    uint32_t old = asm_location_read(state, to, width);
    asm_location_write(state, to, width, asm_emit(state, OP_SELECT, width, 0, condition, value, old));
}

/* ---- Arithmetic ---- */

static enum asm_flags_kind flags_of(enum op op) {
    return op == OP_ADD ? FLAGS_ADD : op == OP_SUB ? FLAGS_SUB : FLAGS_LOGIC;
}

/* Flags of `old op value`: sums and differences are computed later, the others need their result. */
static void set_flags_of(struct asm_state *state, enum op op, uint32_t width, uint32_t old, uint32_t value,
                         uint32_t computed) {
    if (op == OP_ADD || op == OP_SUB) {
        set_flags(state, flags_of(op), width, old, value);
    } else {
        set_flags(state, FLAGS_LOGIC, width, computed, 0);
    }
}

/* `lock; addl $0,0(%rsp)` and similar instructions change nothing and order everything. */
static bool is_stack_fence(struct asm_state *state, struct asm_instruction *instruction) {
    return state->lock && destination(instruction)->kind == ASM_LOCATION_STACK &&
           instruction->row->selector != OP_AND && source(instruction)->kind == ASM_LOCATION_VALUE &&
           source(instruction)->number == 0;
}

static uint32_t binary_locked(struct asm_state *state, struct asm_instruction *instruction, uint32_t value) {
    return locked(state, destination(instruction), instruction->width, (enum rmw_kind)instruction->row->other, value);
}

/* selector: the operation; other: the same as RMW_*. */
static void lower_binary(struct asm_state *state, struct asm_instruction *instruction) {
    enum op op = (enum op)instruction->row->selector;
    uint32_t width = instruction->width;
    if (is_stack_fence(state, instruction)) {
        asm_emit_effect(state, OP_FENCE, 0, ORDER_SEQ_CST, 0, 0);
        state->flags.kind = FLAGS_UNKNOWN;
        return;
    }
    uint32_t value = asm_location_read(state, source(instruction), width);
    if (state->lock) {
        uint32_t old = binary_locked(state, instruction, value);
        bool late = op == OP_ADD || op == OP_SUB;
        uint32_t computed = late ? 0 : asm_emit(state, op, width, 0, old, value, 0);
        set_flags_of(state, op, width, old, value, computed);
        return;
    }
    uint32_t old = asm_location_read(state, destination(instruction), width);
    uint32_t computed = asm_emit(state, op, width, 0, old, value, 0);
    asm_location_write(state, destination(instruction), width, computed);
    set_flags_of(state, op, width, old, value, computed);
}

/* selector: ADD or SUB of 1. */
static void lower_step(struct asm_state *state, struct asm_instruction *instruction) {
    enum op op = (enum op)instruction->row->selector;
    uint32_t width = instruction->width;
    struct asm_location *to = destination(instruction);
    uint32_t one = asm_constant(state, 1);
    uint32_t old;
    if (state->lock) {
        old = binary_locked(state, instruction, one);
    } else {
        old = asm_location_read(state, to, width);
        asm_location_write(state, to, width, asm_emit(state, op, width, 0, old, one, 0));
    }
    set_flags(state, flags_of(op), width, old, one);
    state->flags.carry_unknown = true;
}

static void lower_not(struct asm_state *state, struct asm_instruction *instruction) {
    uint32_t width = instruction->width;
    if (state->lock) {
        locked(state, destination(instruction), width, RMW_XOR, ones(state, width));
        return;
    }
    uint32_t old = asm_location_read(state, destination(instruction), width);
    asm_location_write(state, destination(instruction), width,
                       asm_emit(state, OP_XOR, width, 0, old, ones(state, width), 0));
}

static void lower_neg(struct asm_state *state, struct asm_instruction *instruction) {
    uint32_t width = instruction->width;
    uint32_t zero = asm_constant(state, 0);
    uint32_t old;
    if (state->lock) {
        old = locked(state, destination(instruction), width, RMW_NEG, zero);
    } else {
        old = asm_location_read(state, destination(instruction), width);
        asm_location_write(state, destination(instruction), width, asm_emit(state, OP_SUB, width, 0, zero, old, 0));
    }
    set_flags(state, FLAGS_SUB, width, zero, old);
}

static void lower_xadd(struct asm_state *state, struct asm_instruction *instruction) {
    uint32_t width = instruction->width;
    uint32_t value = asm_location_read(state, source(instruction), width);
    uint32_t old;
    if (state->lock) {
        old = locked(state, destination(instruction), width, RMW_ADD, value);
        asm_location_write(state, source(instruction), width, old);
    } else {
        old = asm_location_read(state, destination(instruction), width);
        uint32_t sum = asm_emit(state, OP_ADD, width, 0, old, value, 0);
        asm_location_write(state, source(instruction), width, old);
        asm_location_write(state, destination(instruction), width, sum);
    }
    set_flags(state, FLAGS_ADD, width, old, value);
}

/* adc, sbb: only zero and sign of the result's flags are set. */
static void lower_with_carry(struct asm_state *state, struct asm_instruction *instruction) {
    enum op op = (enum op)instruction->row->selector;
    uint32_t width = instruction->width;
    uint32_t carry = asm_carry_value(state);
    uint32_t value = asm_location_read(state, source(instruction), width);
    uint32_t old = asm_location_read(state, destination(instruction), width);
    uint32_t without = asm_emit(state, op, width, 0, old, value, 0);
    uint32_t computed = asm_emit(state, op, width, 0, without, carry, 0);
    asm_location_write(state, destination(instruction), width, computed);
    set_flags(state, FLAGS_RESULT, width, computed, 0);
}

static void lower_cmp(struct asm_state *state, struct asm_instruction *instruction) {
    uint32_t value = asm_location_read(state, source(instruction), instruction->width);
    uint32_t old = asm_location_read(state, destination(instruction), instruction->width);
    set_flags(state, FLAGS_SUB, instruction->width, old, value);
}

static void lower_test(struct asm_state *state, struct asm_instruction *instruction) {
    uint32_t width = instruction->width;
    uint32_t value = asm_location_read(state, source(instruction), width);
    uint32_t old = asm_location_read(state, destination(instruction), width);
    set_flags(state, FLAGS_LOGIC, width, asm_emit(state, OP_AND, width, 0, old, value, 0), 0);
}

/* Shifts by 1 if only one operand is given; the count is taken modulo 32, or 64 for 64 bits. */
static void lower_shift(struct asm_state *state, struct asm_instruction *instruction) {
    uint32_t width = instruction->width;
    uint32_t count =
        instruction->count == 1 ? asm_constant(state, 1) : asm_location_read(state, source(instruction), 8);
    if (width < 32) {
        asm_refuse(state, "shifts of less than 32 bits");
        return;
    }
    count = asm_emit(state, OP_AND, 8, 0, count, asm_constant(state, width - 1), 0);
    uint32_t old = asm_location_read(state, destination(instruction), width);
    enum op op = (enum op)instruction->row->selector;
    uint32_t third = op == OP_FSHL || op == OP_FSHR ? count : 0;
    uint32_t computed = asm_emit(state, op, width, 0, old, third ? old : count, third);
    asm_location_write(state, destination(instruction), width, computed);
    state->flags.kind = FLAGS_UNKNOWN;
}

static void lower_imul(struct asm_state *state, struct asm_instruction *instruction) {
    uint32_t width = instruction->width;
    uint32_t a = asm_location_read(state, source(instruction), width);
    uint32_t b = asm_location_read(state, &instruction->locations[1], width);
    asm_location_write(state, destination(instruction), width, asm_emit(state, OP_MUL, width, 0, a, b, 0));
    state->flags.kind = FLAGS_UNKNOWN;
}

/* selector: BITS_*; other: what to do if the source is 0 (0: nothing special, 1: bsf, bsr leave the destination). */
static void lower_scan(struct asm_state *state, struct asm_instruction *instruction) {
    uint32_t width = instruction->width;
    uint32_t value = asm_location_read(state, source(instruction), width);
    uint32_t found = asm_emit(state, OP_BITS, width, instruction->row->selector, value, 0, 0);
    uint32_t zero = asm_emit(state, OP_ICMP, width, PREDICATE_EQ, value, asm_constant(state, 0), 0);
    if (instruction->row->other == 1) {
        uint32_t old = asm_location_read(state, destination(instruction), width);
        if (instruction->row->selector == BITS_LEADING_ZEROS) {
            found = asm_emit(state, OP_SUB, width, 0, asm_constant(state, width - 1), found, 0);
        }
        found = asm_emit(state, OP_SELECT, width, 0, zero, old, found);
    }
    asm_location_write(state, destination(instruction), width, found);
    set_flags(state, FLAGS_ZERO, width, zero, 0);
}

static void lower_bswap(struct asm_state *state, struct asm_instruction *instruction) {
    uint32_t old = asm_location_read(state, source(instruction), instruction->width);
    asm_location_write(state, source(instruction), instruction->width,
                       asm_emit(state, OP_BITS, instruction->width, BITS_BYTE_SWAP, old, 0, 0));
}

/* ---- Bits in memory ---- */

/* A bit number in a register counts from the address on, also far away and backwards; a constant stays within the
 * word. */
static void find_bit(struct asm_state *state, struct asm_instruction *instruction, uint32_t *bit) {
    uint32_t width = instruction->width;
    const struct asm_location *index_location = source(instruction);
    struct asm_location *to = destination(instruction);
    uint32_t index = asm_location_read(state, index_location, width);
    uint64_t number;
    bool known = asm_is_constant(state, index, &number);
    *bit = known ? asm_constant(state, number & (width - 1))
                 : asm_emit(state, OP_AND, width, 0, index, asm_constant(state, width - 1), 0);
    if (to->kind != ASM_LOCATION_MEMORY || index_location->kind == ASM_LOCATION_VALUE || (known && number < width)) {
        return;
    }
    uint32_t wide = width < 64 ? asm_emit(state, OP_SEXT, width, 64, index, 0, 0) : index;
    uint32_t shift = width == 16 ? 4 : width == 32 ? 5 : 6;
    uint32_t words = asm_emit(state, OP_ASHR, 64, 0, wide, asm_constant(state, shift), 0);
    uint32_t bytes = asm_emit(state, OP_MUL, 64, 0, words, asm_constant(state, width / 8), 0);
    to->address = asm_emit(state, OP_ADD, 64, 0, to->address, bytes, 0);
}

/* selector: the operation with the bit's mask (NOP: none, as for bt); other: the same as RMW_*. */
static void lower_bit(struct asm_state *state, struct asm_instruction *instruction) {
    uint32_t width = instruction->width;
    enum op op = (enum op)instruction->row->selector;
    struct asm_location *to = destination(instruction);
    if (width < 16) {
        asm_refuse(state, "operand sizes are not known");
        return;
    }
    uint32_t bit;
    find_bit(state, instruction, &bit);
    if (op == OP_NOP) {
        set_flags(state, FLAGS_BIT, width, asm_location_read(state, to, width), bit);
        return;
    }
    uint32_t mask = asm_emit(state, OP_SHL, width, 0, asm_constant(state, 1), bit, 0);
    if (op == OP_AND) {
        mask = asm_emit(state, OP_XOR, width, 0, mask, ones(state, width), 0);
    }
    uint32_t old;
    if (state->lock) {
        old = binary_locked(state, instruction, mask);
    } else {
        old = asm_location_read(state, to, width);
        asm_location_write(state, to, width, asm_emit(state, op, width, 0, old, mask, 0));
    }
    set_flags(state, FLAGS_BIT, width, old, bit);
}

/* ---- Compare and exchange ---- */

/* The accumulator gets the old value; if they were equal, that changes nothing. */
static void lower_cmpxchg(struct asm_state *state, struct asm_instruction *instruction) {
    uint32_t width = instruction->width;
    struct asm_location *to = destination(instruction);
    uint32_t expected = asm_cell_read(state, X86_AX, width);
    uint32_t desired = asm_location_read(state, source(instruction), width);
    uint32_t old;
    uint32_t equal;
    if (state->lock) {
        old = locked_compare(state, to, width / 8, expected, desired);
        equal = old + 1;
    } else {
        old = asm_location_read(state, to, width);
        equal = asm_emit(state, OP_ICMP, width, PREDICATE_EQ, old, expected, 0);
        asm_location_write(state, to, width, asm_emit(state, OP_SELECT, width, 0, equal, desired, old));
    }
    asm_cell_write(state, X86_AX, width, old);
    set_flags(state, FLAGS_ZERO, 1, equal, 0);
}

static uint32_t join_halves(struct asm_state *state, uint32_t high, uint32_t low) {
    uint32_t upper = asm_emit(state, OP_SHL, 64, 0, asm_cell_read(state, high, 32), asm_constant(state, 32), 0);
    return asm_emit(state, OP_OR, 64, 0, upper, asm_cell_read(state, low, 32), 0);
}

/* A 64-bit value into edx:eax. */
static void split_halves(struct asm_state *state, uint32_t value) {
    asm_cell_write(state, X86_AX, 32, asm_emit(state, OP_TRUNC, 32, 0, value, 0, 0));
    asm_cell_write(state, X86_DX, 32, asm_emit(state, OP_LSHR, 64, 0, value, asm_constant(state, 32), 0));
}

static bool is_locked_memory(struct asm_state *state, struct asm_instruction *instruction) {
    if (!state->lock || destination(instruction)->kind != ASM_LOCATION_MEMORY) {
        asm_refuse(state, "only with a lock prefix");
        return false;
    }
    return true;
}

static void lower_cmpxchg8b(struct asm_state *state, struct asm_instruction *instruction) {
    if (!is_locked_memory(state, instruction)) {
        return;
    }
    uint32_t expected = join_halves(state, X86_DX, X86_AX);
    uint32_t desired = join_halves(state, X86_CX, X86_BX);
    uint32_t old = locked_compare(state, destination(instruction), 8, expected, desired);
    split_halves(state, old);
    set_flags(state, FLAGS_ZERO, 1, old + 1, 0);
}

static void lower_cmpxchg16b(struct asm_state *state, struct asm_instruction *instruction) {
    if (!is_locked_memory(state, instruction)) {
        return;
    }
    uint32_t expected_low = asm_cell_read(state, X86_AX, 64);
    uint32_t expected = pair(state, expected_low, asm_cell_read(state, X86_DX, 64));
    uint32_t desired_low = asm_cell_read(state, X86_BX, 64);
    uint32_t desired = pair(state, desired_low, asm_cell_read(state, X86_CX, 64));
    uint32_t old = locked_compare(state, destination(instruction), 16, expected, desired);
    asm_cell_write(state, X86_AX, 64, old);
    asm_cell_write(state, X86_DX, 64, old + 1);
    set_flags(state, FLAGS_ZERO, 1, old + 2, 0);
}

/* ---- Without operands ---- */

/* selector: ORDER_* of a fence. */
static void lower_fence(struct asm_state *state, struct asm_instruction *instruction) {
    asm_emit_effect(state, OP_FENCE, 0, instruction->row->selector, 0, 0);
}

static void lower_sfence(struct asm_state *state, struct asm_instruction *instruction) {
    (void)instruction;
    asm_emit_effect(state, OP_STORE_BARRIER, 0, 0, 0, 0);
}

static void lower_pause(struct asm_state *state, struct asm_instruction *instruction) {
    (void)instruction;
    asm_emit_effect(state, OP_NOP, 0, YIELD_PAUSE, 0, 0);
}

/* `rep; nop` is an old form of pause. */
static void lower_nop(struct asm_state *state, struct asm_instruction *instruction) {
    if (state->repeat) {
        lower_pause(state, instruction);
    }
}

static void lower_ud2(struct asm_state *state, struct asm_instruction *instruction) {
    asm_emit_effect(state, OP_ERROR, 0, ERROR_ABORT, builder_string(state->builder, instruction->row->mnemonic), 0);
}

static void lower_nothing(struct asm_state *state, struct asm_instruction *instruction) {
    (void)state;
    (void)instruction;
}

static bool is_output(const struct asm_state *state, uint32_t cell) {
    for (uint32_t i = 0; i < state->operands_count; i++) {
        if (state->operands[i].output && state->operands[i].kind == ASM_OPERAND_CELL &&
            state->operands[i].cell == cell) {
            return true;
        }
    }
    return false;
}

/* Returns any time; selector: also any processor, in ecx. */
static void lower_rdtsc(struct asm_state *state, struct asm_instruction *instruction) {
    uint32_t none = asm_constant(state, 0);
    split_halves(state, asm_emit(state, OP_NONDET, 64, 0, none, ones(state, 64), 0));
    if (instruction->row->selector && is_output(state, X86_CX)) {
        asm_cell_write(state, X86_CX, 32, asm_emit(state, OP_NONDET, 32, 0, none, ones(state, 32), 0));
    }
}

/* ---- The table ---- */

#define BOTH (ROW_SUFFIX | ROW_LOCKABLE)

static const struct asm_row rows[] = {
    {"mov", lower_mov, 2, ROW_SUFFIX, 0, 0},
    {"movabs", lower_mov, 2, ROW_SUFFIX, 0, 0},
    {"movzx", lower_extend, 2, ROW_NO_WIDTH, 0, 0},
    {"movsx", lower_extend, 2, ROW_NO_WIDTH, 0, 0},
    {"movzbw", lower_extend, 2, ROW_NO_WIDTH, 8, 16},
    {"movzbl", lower_extend, 2, ROW_NO_WIDTH, 8, 32},
    {"movzbq", lower_extend, 2, ROW_NO_WIDTH, 8, 64},
    {"movzwl", lower_extend, 2, ROW_NO_WIDTH, 16, 32},
    {"movzwq", lower_extend, 2, ROW_NO_WIDTH, 16, 64},
    {"movsbw", lower_extend, 2, ROW_NO_WIDTH, 8, 16},
    {"movsbl", lower_extend, 2, ROW_NO_WIDTH, 8, 32},
    {"movsbq", lower_extend, 2, ROW_NO_WIDTH, 8, 64},
    {"movswl", lower_extend, 2, ROW_NO_WIDTH, 16, 32},
    {"movswq", lower_extend, 2, ROW_NO_WIDTH, 16, 64},
    {"movslq", lower_extend, 2, ROW_NO_WIDTH, 32, 64},
    {"xchg", lower_xchg, 2, BOTH, 0, 0},
    {"lea", lower_lea, 2, ROW_SUFFIX, 0, 0},
    {"push", lower_push, 1, ROW_SUFFIX | ROW_NO_WIDTH, 0, 0},
    {"pop", lower_pop, 1, ROW_SUFFIX | ROW_NO_WIDTH, 0, 0},
    {"set", lower_set, 1, ROW_CONDITION, 0, 0},
    {"cmov", lower_cmov, 2, ROW_CONDITION, 0, 0},
    {"add", lower_binary, 2, BOTH, OP_ADD, RMW_ADD},
    {"sub", lower_binary, 2, BOTH, OP_SUB, RMW_SUB},
    {"and", lower_binary, 2, BOTH, OP_AND, RMW_AND},
    {"or", lower_binary, 2, BOTH, OP_OR, RMW_OR},
    {"xor", lower_binary, 2, BOTH, OP_XOR, RMW_XOR},
    {"inc", lower_step, 1, BOTH, OP_ADD, RMW_ADD},
    {"dec", lower_step, 1, BOTH, OP_SUB, RMW_SUB},
    {"not", lower_not, 1, BOTH, 0, 0},
    {"neg", lower_neg, 1, BOTH, 0, 0},
    {"xadd", lower_xadd, 2, BOTH, 0, 0},
    {"adc", lower_with_carry, 2, ROW_SUFFIX, OP_ADD, 0},
    {"sbb", lower_with_carry, 2, ROW_SUFFIX, OP_SUB, 0},
    {"cmp", lower_cmp, 2, ROW_SUFFIX, 0, 0},
    {"test", lower_test, 2, ROW_SUFFIX, 0, 0},
    {"shl", lower_shift, 2, ROW_SUFFIX, OP_SHL, 0},
    {"sal", lower_shift, 2, ROW_SUFFIX, OP_SHL, 0},
    {"shr", lower_shift, 2, ROW_SUFFIX, OP_LSHR, 0},
    {"sar", lower_shift, 2, ROW_SUFFIX, OP_ASHR, 0},
    {"rol", lower_shift, 2, ROW_SUFFIX, OP_FSHL, 0},
    {"ror", lower_shift, 2, ROW_SUFFIX, OP_FSHR, 0},
    {"imul", lower_imul, 3, ROW_SUFFIX, 0, 0},
    {"bsf", lower_scan, 2, ROW_SUFFIX, BITS_TRAILING_ZEROS, 1},
    {"bsr", lower_scan, 2, ROW_SUFFIX, BITS_LEADING_ZEROS, 1},
    {"tzcnt", lower_scan, 2, ROW_SUFFIX, BITS_TRAILING_ZEROS, 0},
    {"lzcnt", lower_scan, 2, ROW_SUFFIX, BITS_LEADING_ZEROS, 0},
    {"popcnt", lower_scan, 2, ROW_SUFFIX, BITS_POPULATION, 0},
    {"bswap", lower_bswap, 1, ROW_SUFFIX, 0, 0},
    {"bt", lower_bit, 2, ROW_SUFFIX, OP_NOP, 0},
    {"bts", lower_bit, 2, BOTH, OP_OR, RMW_OR},
    {"btr", lower_bit, 2, BOTH, OP_AND, RMW_AND},
    {"btc", lower_bit, 2, BOTH, OP_XOR, RMW_XOR},
    {"cmpxchg", lower_cmpxchg, 2, BOTH, 0, 0},
    {"cmpxchg8b", lower_cmpxchg8b, 1, ROW_LOCKABLE | ROW_NO_WIDTH, 0, 0},
    {"cmpxchg16b", lower_cmpxchg16b, 1, ROW_LOCKABLE | ROW_NO_WIDTH, 0, 0},
    {"mfence", lower_fence, 0, ROW_NO_WIDTH, ORDER_SEQ_CST, 0},
    {"lfence", lower_fence, 0, ROW_NO_WIDTH, ORDER_ACQUIRE, 0},
    {"sfence", lower_sfence, 0, ROW_NO_WIDTH, 0, 0},
    {"pause", lower_pause, 0, ROW_NO_WIDTH, 0, 0},
    {"nop", lower_nop, 0, ROW_SUFFIX | ROW_NO_WIDTH | ROW_IGNORED, 0, 0},
    {"ud2", lower_ud2, 0, ROW_NO_WIDTH, 0, 0},
    {"rdtsc", lower_rdtsc, 0, ROW_NO_WIDTH, 0, 0},
    {"rdtscp", lower_rdtsc, 0, ROW_NO_WIDTH, 1, 0},
    {"prefetch", lower_nothing, 1, ROW_NO_WIDTH | ROW_IGNORED, 0, 0},
    {"prefetchw", lower_nothing, 1, ROW_NO_WIDTH | ROW_IGNORED, 0, 0},
    {"prefetcht0", lower_nothing, 1, ROW_NO_WIDTH | ROW_IGNORED, 0, 0},
    {"prefetcht1", lower_nothing, 1, ROW_NO_WIDTH | ROW_IGNORED, 0, 0},
    {"prefetcht2", lower_nothing, 1, ROW_NO_WIDTH | ROW_IGNORED, 0, 0},
    {"prefetchnta", lower_nothing, 1, ROW_NO_WIDTH | ROW_IGNORED, 0, 0},
};

static uint32_t suffix_width(char suffix) {
    switch (suffix) {
    case 'b':
        return 8;
    case 'w':
        return 16;
    case 'l':
        return 32;
    case 'q':
        return 64;
    default:
        return 0;
    }
}

/* "setnz" is "set" with the condition "nz", whose index is stored as the width. */
static bool condition_row(const struct asm_row *row, const char *mnemonic, uint32_t *condition) {
    size_t length = strlen(row->mnemonic);
    if ((row->flags & ROW_CONDITION) == 0 || strncmp(mnemonic, row->mnemonic, length) != 0) {
        return false;
    }
    int index = asm_condition_named(mnemonic + length);
    *condition = (uint32_t)index;
    return index >= 0;
}

/* The row of a mnemonic, and the operand size if its suffix has it, else 0. */
static const struct asm_row *row_find(const char *mnemonic, uint32_t *width) {
    size_t length = strlen(mnemonic);
    const struct asm_row *found = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct asm_row *row = &rows[i];
        if (strcmp(row->mnemonic, mnemonic) == 0 && (row->flags & ROW_CONDITION) == 0) {
            *width = 0;
            return row;
        }
        uint32_t suffix = length > 1 ? suffix_width(mnemonic[length - 1]) : 0;
        if ((row->flags & ROW_SUFFIX) && suffix && strlen(row->mnemonic) == length - 1 &&
            strncmp(row->mnemonic, mnemonic, length - 1) == 0) {
            *width = suffix;
            found = row;
        } else if (!found && condition_row(row, mnemonic, width)) {
            return row;
        }
    }
    return found;
}

/* Splits at commas outside of parentheses; returns the number of operands. */
static uint32_t split_operands(char *text, char *parts[MAX_LOCATIONS]) {
    uint32_t count = 0;
    int depth = 0;
    if (!*text) {
        return 0;
    }
    parts[count++] = text;
    for (char *c = text; *c; c++) {
        depth += (*c == '(') - (*c == ')');
        if (*c == ',' && depth == 0) {
            *c = 0;
            if (count == MAX_LOCATIONS) {
                return MAX_LOCATIONS + 1;
            }
            parts[count++] = c + 1;
        }
    }
    return count;
}

/* The size of the operands if the mnemonic does not have it: from a named register first, then any register, then
 * memory; the destination before the source. */
static uint32_t operands_width(const struct asm_instruction *instruction) {
    for (int pass = 0; pass < 3; pass++) {
        for (uint32_t i = instruction->count; i-- > 0;) {
            const struct asm_location *location = &instruction->locations[i];
            bool fits = pass == 0 ? location->named : pass == 1 ? location->kind == ASM_LOCATION_CELL : true;
            if (fits && location->width != 0) {
                return location->width;
            }
        }
    }
    return 0;
}

/* Shifts may omit the count, multiplications the third operand. */
static bool count_fits(const struct asm_row *row, uint32_t count) {
    bool optional = row->lower == lower_shift || row->lower == lower_imul;
    return count == row->locations || (optional && count + 1 == row->locations);
}

static bool lock_fits(struct asm_state *state, const struct asm_instruction *instruction) {
    enum asm_location_kind kind =
        instruction->count > 0 ? instruction->locations[instruction->count - 1].kind : ASM_LOCATION_VALUE;
    bool memory = kind == ASM_LOCATION_MEMORY || kind == ASM_LOCATION_STACK ||
                  (instruction->row->lower == lower_xchg && instruction->locations[0].kind == ASM_LOCATION_MEMORY);
    if (!state->lock || ((instruction->row->flags & ROW_LOCKABLE) && memory)) {
        return true;
    }
    asm_refuse(state, "the lock prefix does not fit");
    return false;
}

static bool is_access_width(uint32_t width) {
    return width == 8 || width == 16 || width == 32 || width == 64;
}

void asm_instruction_lower(struct asm_state *state, const char *mnemonic, char *operands) {
    struct asm_instruction instruction = {0};
    instruction.row = row_find(mnemonic, &instruction.width);
    if (!instruction.row) {
        asm_refuse(state, "");
        return;
    }
    /* `rep; bsf` is how the kernel writes tzcnt so that old processors take it as bsf. */
    if (state->repeat && instruction.row->lower != lower_nop && instruction.row->lower != lower_scan) {
        asm_refuse(state, "a repeated instruction");
        return;
    }
    if ((instruction.row->flags & ROW_IGNORED) == 0) {
        char *parts[MAX_LOCATIONS] = {NULL};
        instruction.count = split_operands(operands, parts);
        if (!count_fits(instruction.row, instruction.count)) {
            asm_refuse(state, "wrong number of operands");
            return;
        }
        for (uint32_t i = 0; i < instruction.count; i++) {
            if (!asm_location_parse(state, asm_trim(parts[i]), &instruction.locations[i])) {
                return;
            }
        }
    }
    if (!lock_fits(state, &instruction)) {
        return;
    }
    if ((instruction.row->flags & (ROW_NO_WIDTH | ROW_CONDITION)) == 0) {
        instruction.width = instruction.width ? instruction.width : operands_width(&instruction);
        instruction.width = instruction.width ? instruction.width : state->default_width;
        if (!is_access_width(instruction.width)) {
            asm_refuse(state, "operand sizes are not known");
            return;
        }
    }
    instruction.row->lower(state, &instruction);
}
