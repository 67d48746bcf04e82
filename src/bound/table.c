/* The table of words with pending stores: finding a row, keeping a store in it, the value for a load, and writing the
 * stores kept for a round to memory. */
#include "bound/runtime.h"

#define WORD 8u
#define ALL_BYTES 255u

void emit_find(struct runtime *runtime) {
    struct assembler *out = &runtime->out;
    begin_function(runtime, FUNCTION_find);
    struct loop_code loop;
    loop_begin(runtime, &loop, cell_get(runtime, CELL_rows));
    uint32_t address = array_get(runtime, ARRAY_row_address, loop.counter);
    emit_jump_unless(out, emit_compare(out, PREDICATE_EQ, address, 0), &loop.next);
    emit_return(out, &loop.counter, 1);
    loop_end(runtime, &loop);
    uint32_t none = number(runtime, runtime->copies);
    emit_return(out, &none, 1);
    end_function(runtime);
}

/* Half a word: as one store if all four bytes are there. */
static void write_half(struct runtime *runtime, unsigned first) {
    struct assembler *out = &runtime->out;
    struct label done = {0};
    struct label bytes = {0};
    uint32_t mask = emit_binary(out, OP_AND, 1, number(runtime, 15u << first));
    emit_jump_unless(out, mask, &done);
    emit_jump_unless(out, emit_compare(out, PREDICATE_EQ, mask, number(runtime, 15u << first)), &bytes);
    uint32_t half = emit_binary(out, OP_LSHR, 2, number(runtime, 8u * first));
    half = emit_binary(out, OP_AND, half, number(runtime, UINT32_MAX));
    emit_store(out, plus(runtime, 0, first), half, 4);
    emit_jump(out, &done);
    label_put(out, &bytes);
    for (unsigned i = first; i < first + 4; i++) {
        struct label next = {0};
        emit_jump_unless(out, emit_binary(out, OP_AND, 1, number(runtime, 1u << i)), &next);
        uint32_t byte = emit_binary(out, OP_LSHR, 2, number(runtime, 8u * i));
        byte = emit_binary(out, OP_AND, byte, number(runtime, ALL_BYTES));
        emit_store(out, plus(runtime, 0, i), byte, 1);
        label_put(out, &next);
    }
    label_put(out, &done);
}

void emit_write(struct runtime *runtime) {
    struct assembler *out = &runtime->out;
    struct label partly = {0};
    begin_function(runtime, FUNCTION_write);
    emit_jump_unless(out, emit_compare(out, PREDICATE_EQ, 1, number(runtime, ALL_BYTES)), &partly);
    emit_store(out, 0, 2, 8);
    return_nothing(runtime);
    label_put(out, &partly);
    write_half(runtime, 0);
    write_half(runtime, 4);
    return_nothing(runtime);
    end_function(runtime);
}

/* Moves a row down into a gap, and leaves zeros. */
static void move_row(struct runtime *runtime, uint32_t from, uint32_t to) {
    static const enum bound_array arrays[] = {ARRAY_row_address, ARRAY_row_view, ARRAY_row_pending, ARRAY_row_joined};
    uint32_t zero = number(runtime, 0);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        array_set(runtime, arrays[i], to, array_get(runtime, arrays[i], from));
        array_set(runtime, arrays[i], from, zero);
    }
    struct loop_code slots;
    loop_begin(runtime, &slots, number(runtime, runtime->slots));
    uint32_t source = slot_index(runtime, from, slots.counter);
    uint32_t target = slot_index(runtime, to, slots.counter);
    array_set(runtime, ARRAY_row_mask, target, array_get(runtime, ARRAY_row_mask, source));
    array_set(runtime, ARRAY_row_queue, target, array_get(runtime, ARRAY_row_queue, source));
    array_set(runtime, ARRAY_row_mask, source, zero);
    array_set(runtime, ARRAY_row_queue, source, zero);
    loop_end(runtime, &slots);
}

/* Writes the values that the rows keep for the slot to memory, and updates the rows. */
static void drain_rows(struct runtime *runtime, uint32_t slot, uint32_t drained, uint32_t kept) {
    struct assembler *out = &runtime->out;
    uint32_t zero = number(runtime, 0);
    struct loop_code rows;
    struct label untouched = {0};
    loop_begin(runtime, &rows, cell_get(runtime, CELL_rows));
    uint32_t row = rows.counter;
    uint32_t at = slot_index(runtime, row, slot);
    uint32_t mask = array_get(runtime, ARRAY_row_mask, at);
    emit_jump_unless(out, mask, &untouched);
    emit_move(out, drained, number(runtime, 1));
    const uint32_t arguments[] = {array_get(runtime, ARRAY_row_address, row), mask,
                                  array_get(runtime, ARRAY_row_queue, at)};
    emit_call(out, runtime->functions[FUNCTION_write], arguments, 3);
    array_set(runtime, ARRAY_row_mask, at, zero);
    array_set(runtime, ARRAY_row_queue, at, zero);
    uint32_t pending = emit_register(out);
    emit_move(out, pending, zero);
    struct loop_code slots;
    loop_begin(runtime, &slots, number(runtime, runtime->slots));
    uint32_t other = array_get(runtime, ARRAY_row_mask, slot_index(runtime, row, slots.counter));
    emit_move(out, pending, emit_binary(out, OP_OR, pending, other));
    loop_end(runtime, &slots);
    array_set(runtime, ARRAY_row_pending, row, pending);
    uint32_t view = array_get(runtime, ARRAY_row_view, row);
    array_set(runtime, ARRAY_row_view, row, emit_binary(out, OP_AND, view, spread(runtime, pending)));
    uint32_t joined = array_get(runtime, ARRAY_row_joined, row);
    array_set(runtime, ARRAY_row_joined, row, emit_binary(out, OP_AND, joined, pending));
    struct label stays = {0};
    emit_jump_if(out, pending, &stays);
    array_set(runtime, ARRAY_row_address, row, zero);
    emit_jump(out, &rows.next);
    label_put(out, &stays);
    label_put(out, &untouched);
    struct label in_place = {0};
    emit_jump_if(out, emit_compare(out, PREDICATE_EQ, row, kept), &in_place);
    move_row(runtime, row, kept);
    label_put(out, &in_place);
    emit_move(out, kept, plus(runtime, kept, 1));
    loop_end(runtime, &rows);
    cell_set(runtime, CELL_rows, kept);
}

static void drain_ends(struct runtime *runtime, uint32_t slot, uint32_t drained, uint32_t kept) {
    static const enum bound_array arrays[] = {ARRAY_end_address, ARRAY_end_size, ARRAY_end_slot};
    struct assembler *out = &runtime->out;
    uint32_t zero = number(runtime, 0);
    struct loop_code ends;
    struct label keeps = {0};
    struct label in_place = {0};
    emit_move(out, kept, zero);
    loop_begin(runtime, &ends, cell_get(runtime, CELL_ends));
    uint32_t of = array_get(runtime, ARRAY_end_slot, ends.counter);
    emit_jump_unless(out, emit_compare(out, PREDICATE_EQ, of, slot), &keeps);
    emit_real_free(runtime, array_get(runtime, ARRAY_end_address, ends.counter));
    emit_move(out, drained, number(runtime, 1));
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        array_set(runtime, arrays[i], ends.counter, zero);
    }
    emit_jump(out, &ends.next);
    label_put(out, &keeps);
    emit_jump_if(out, emit_compare(out, PREDICATE_EQ, ends.counter, kept), &in_place);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        array_set(runtime, arrays[i], kept, array_get(runtime, arrays[i], ends.counter));
        array_set(runtime, arrays[i], ends.counter, zero);
    }
    label_put(out, &in_place);
    emit_move(out, kept, plus(runtime, kept, 1));
    loop_end(runtime, &ends);
    cell_set(runtime, CELL_ends, kept);
}

/* The paper's init_round: writes what is kept for this round to memory.  Stores come before ends of objects: a thread
 * does not store to an object that it has ended. */
void emit_drain(struct runtime *runtime) {
    struct assembler *out = &runtime->out;
    struct label nothing = {0};
    begin_function(runtime, FUNCTION_drain);
    uint32_t drained = emit_register(out);
    uint32_t kept = emit_register(out);
    emit_move(out, drained, number(runtime, 0));
    emit_move(out, kept, number(runtime, 0));
    drain_rows(runtime, 0, drained, kept);
    drain_ends(runtime, 0, drained, kept);
    emit_jump_unless(out, drained, &nothing);
    emit_changed(runtime);
    label_put(out, &nothing);
    emit_return(out, &drained, 1);
    end_function(runtime);
}

/* For bytes [address, address + size), size up to 8: which are pending, which joined, and their newest values. */
void emit_get(struct runtime *runtime) {
    struct assembler *out = &runtime->out;
    static const enum bound_array arrays[] = {ARRAY_row_pending, ARRAY_row_joined, ARRAY_row_view};
    begin_function(runtime, FUNCTION_get);
    uint32_t offset = emit_binary(out, OP_AND, 0, number(runtime, WORD - 1));
    uint32_t word = emit_binary(out, OP_SUB, 0, offset);
    uint32_t bits = emit_binary(out, OP_MUL, offset, number(runtime, 8));
    uint32_t results[3];
    for (int i = 0; i < 3; i++) {
        results[i] = emit_register(out);
    }
    for (int i = 0; i < 3; i++) {
        emit_move(out, results[i], number(runtime, 0));
    }
    struct label second = {0};
    struct label cut = {0};
    uint32_t row = call_1(runtime, FUNCTION_find, word);
    emit_jump_if(out, emit_compare(out, PREDICATE_EQ, row, number(runtime, runtime->copies)), &second);
    for (int i = 0; i < 3; i++) {
        uint32_t all = array_get(runtime, arrays[i], row);
        emit_move(out, results[i], emit_binary(out, OP_LSHR, all, i == 2 ? bits : offset));
    }
    label_put(out, &second);
    uint32_t end = emit_binary(out, OP_ADD, offset, 1);
    emit_jump_if(out, emit_compare(out, PREDICATE_ULE, end, number(runtime, WORD)), &cut);
    uint32_t following = call_1(runtime, FUNCTION_find, plus(runtime, word, WORD));
    emit_jump_if(out, emit_compare(out, PREDICATE_EQ, following, number(runtime, runtime->copies)), &cut);
    uint32_t bytes_before = emit_binary(out, OP_SUB, number(runtime, WORD), offset);
    uint32_t bits_before = emit_binary(out, OP_SUB, number(runtime, 64), bits);
    for (int i = 0; i < 3; i++) {
        uint32_t all = array_get(runtime, arrays[i], following);
        uint32_t moved = emit_binary(out, OP_SHL, all, i == 2 ? bits_before : bytes_before);
        emit_move(out, results[i], emit_binary(out, OP_OR, results[i], moved));
    }
    label_put(out, &cut);
    uint32_t full = emit_binary(out, OP_SHL, number(runtime, 1), 1);
    full = emit_binary(out, OP_SUB, full, number(runtime, 1));
    uint32_t values[3];
    values[0] = emit_binary(out, OP_AND, results[0], full);
    values[1] = emit_binary(out, OP_AND, results[1], full);
    values[2] = emit_binary(out, OP_AND, results[2], spread(runtime, full));
    emit_return(out, values, 3);
    end_function(runtime);
}

/* Keeps bytes of one word: parameters word, mask, value, joined, slot. */
void emit_put_word(struct runtime *runtime) {
    struct assembler *out = &runtime->out;
    struct label found = {0};
    begin_function(runtime, FUNCTION_put_word);
    uint32_t row = call_1(runtime, FUNCTION_find, 0);
    emit_jump_if(out, emit_compare(out, PREDICATE_NE, row, number(runtime, runtime->copies)), &found);
    emit_move(out, row, cell_get(runtime, CELL_rows));
    emit_refusal(runtime, row, runtime->copies, BOUND_NO_COPY);
    array_set(runtime, ARRAY_row_address, row, 0);
    cell_set(runtime, CELL_rows, plus(runtime, row, 1));
    label_put(out, &found);
    uint32_t others = inverted(runtime, spread(runtime, 1));
    uint32_t view = emit_binary(out, OP_AND, array_get(runtime, ARRAY_row_view, row), others);
    array_set(runtime, ARRAY_row_view, row, emit_binary(out, OP_OR, view, 2));
    uint32_t pending = array_get(runtime, ARRAY_row_pending, row);
    array_set(runtime, ARRAY_row_pending, row, emit_binary(out, OP_OR, pending, 1));
    uint32_t joined = emit_binary(out, OP_AND, array_get(runtime, ARRAY_row_joined, row), inverted(runtime, 1));
    array_set(runtime, ARRAY_row_joined, row, emit_binary(out, OP_OR, joined, 3));
    uint32_t at = slot_index(runtime, row, 4);
    uint32_t mask = array_get(runtime, ARRAY_row_mask, at);
    array_set(runtime, ARRAY_row_mask, at, emit_binary(out, OP_OR, mask, 1));
    uint32_t queue = emit_binary(out, OP_AND, array_get(runtime, ARRAY_row_queue, at), others);
    array_set(runtime, ARRAY_row_queue, at, emit_binary(out, OP_OR, queue, 2));
    return_nothing(runtime);
    end_function(runtime);
}

/* Keeps a store: parameters address, size (up to 8), value, joined to the byte before, slot. */
void emit_put(struct runtime *runtime) {
    struct assembler *out = &runtime->out;
    struct label one_word = {0};
    begin_function(runtime, FUNCTION_put);
    uint32_t offset = emit_binary(out, OP_AND, 0, number(runtime, WORD - 1));
    uint32_t word = emit_binary(out, OP_SUB, 0, offset);
    uint32_t bits = emit_binary(out, OP_MUL, offset, number(runtime, 8));
    uint32_t full = emit_binary(out, OP_SHL, number(runtime, 1), 1);
    full = emit_binary(out, OP_SUB, full, number(runtime, 1));
    uint32_t joined = emit_binary(out, OP_AND, full, number(runtime, ~UINT64_C(1)));
    joined = emit_binary(out, OP_OR, joined, 3);
    uint32_t all = number(runtime, ALL_BYTES);
    const uint32_t first[] = {word, emit_binary(out, OP_AND, emit_binary(out, OP_SHL, full, offset), all),
                              emit_binary(out, OP_SHL, 2, bits),
                              emit_binary(out, OP_AND, emit_binary(out, OP_SHL, joined, offset), all), 4};
    emit_call(out, runtime->functions[FUNCTION_put_word], first, 5);
    uint32_t end = emit_binary(out, OP_ADD, offset, 1);
    emit_jump_if(out, emit_compare(out, PREDICATE_ULE, end, number(runtime, WORD)), &one_word);
    uint32_t bytes_before = emit_binary(out, OP_SUB, number(runtime, WORD), offset);
    uint32_t bits_before = emit_binary(out, OP_SUB, number(runtime, 64), bits);
    const uint32_t second[] = {plus(runtime, word, WORD), emit_binary(out, OP_LSHR, full, bytes_before),
                               emit_binary(out, OP_LSHR, 2, bits_before),
                               emit_binary(out, OP_LSHR, joined, bytes_before), 4};
    emit_call(out, runtime->functions[FUNCTION_put_word], second, 5);
    label_put(out, &one_word);
    return_nothing(runtime);
    end_function(runtime);
}

void emit_part(struct runtime *runtime) {
    struct assembler *out = &runtime->out;
    struct label done = {0};
    begin_function(runtime, FUNCTION_part);
    uint32_t offset = emit_binary(out, OP_AND, 0, number(runtime, WORD - 1));
    uint32_t row = call_1(runtime, FUNCTION_find, emit_binary(out, OP_SUB, 0, offset));
    emit_jump_if(out, emit_compare(out, PREDICATE_EQ, row, number(runtime, runtime->copies)), &done);
    uint32_t bit = emit_binary(out, OP_SHL, number(runtime, 1), offset);
    uint32_t joined = array_get(runtime, ARRAY_row_joined, row);
    array_set(runtime, ARRAY_row_joined, row, emit_binary(out, OP_AND, joined, inverted(runtime, bit)));
    label_put(out, &done);
    return_nothing(runtime);
    end_function(runtime);
}
