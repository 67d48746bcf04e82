/* The variables of the bookkeeping, and pieces of code from which its functions are made. */
#include "bound/runtime.h"

#define ALL_BYTES 255u
#define PRIVATE_BIT (UINT64_C(1) << 32)

_Static_assert(STACK_OFFSET == PRIVATE_BIT, "an address tells by one bit whether it is private to a thread");

/* --- Declarations ------------------------------------------------------------------------------------------------- */

void runtime_declare(struct runtime *runtime, struct builder *builder) {
    static const char *const cell_names[] = {
#define X(name) "bound_" #name,
        BOUND_CELLS(X)
#undef X
    };
    const uint32_t flags = GLOBAL_THREAD_LOCAL | GLOBAL_PRIVATE;
    runtime->out = (struct assembler){.builder = builder};
    for (int i = 0; i < CELL_COUNT; i++) {
        runtime->cells[i] = builder_global(builder, cell_names[i], 8, 8, flags);
    }
    int next = 0;
#define X(name, element)                                                                                               \
    runtime->arrays[next] = builder_global(                                                                            \
        builder, "bound_" #name,                                                                                       \
        (uint64_t)element * (next == ARRAY_row_mask || next == ARRAY_row_queue ? runtime->copies * runtime->slots      \
                             : next == ARRAY_local_address ? (runtime->has_locals ? BOUND_LOCALS : 1)                  \
                                                           : runtime->copies),                                         \
        element, flags);                                                                                               \
    next++;
    BOUND_ARRAYS(X)
#undef X
    next = 0;
#define X(name, bytes) runtime->shared[next++] = builder_global(builder, "bound_" #name, bytes, 8, 0);
    BOUND_SHARED(X)
#undef X
    next = 0;
#define X(name, parameters, results)                                                                                   \
    runtime->functions[next++] = builder_function(builder, "bound_" #name, parameters, results, FUNCTION_LIBRARY);
    BOUND_FUNCTIONS(X)
#undef X
}

/* --- Pieces ------------------------------------------------------------------------------------------------------- */

uint32_t number(struct runtime *runtime, uint64_t value) {
    return emit_constant(&runtime->out, value);
}

static uint32_t tls(struct runtime *runtime, uint32_t global) {
    uint32_t dst = emit_register(&runtime->out);
    builder_emit(runtime->out.builder,
                 (struct instruction){.op = OP_TLS, .dst = dst, .a = global, .pos = runtime->out.pos});
    return dst;
}

uint32_t cell_get(struct runtime *runtime, enum bound_cell cell) {
    return emit_load(&runtime->out, tls(runtime, runtime->cells[cell]), 8);
}

void cell_set(struct runtime *runtime, enum bound_cell cell, uint32_t value) {
    emit_store(&runtime->out, tls(runtime, runtime->cells[cell]), value, 8);
}

static unsigned element_size(enum bound_array array) {
    static const unsigned sizes[] = {
#define X(name, size) size,
        BOUND_ARRAYS(X)
#undef X
    };
    return sizes[array];
}

static uint32_t element(struct runtime *runtime, enum bound_array array, uint32_t index) {
    struct assembler *out = &runtime->out;
    uint32_t base = tls(runtime, runtime->arrays[array]);
    uint32_t offset =
        element_size(array) == 1 ? index : emit_binary(out, OP_MUL, index, number(runtime, element_size(array)));
    return emit_binary(out, OP_ADD, base, offset);
}

uint32_t array_get(struct runtime *runtime, enum bound_array array, uint32_t index) {
    return emit_load(&runtime->out, element(runtime, array, index), element_size(array));
}

void array_set(struct runtime *runtime, enum bound_array array, uint32_t index, uint32_t value) {
    emit_store(&runtime->out, element(runtime, array, index), value, element_size(array));
}

/* Index of a row's slot in row_mask and row_queue. */
uint32_t slot_index(struct runtime *runtime, uint32_t row, uint32_t slot) {
    uint32_t first = emit_binary(&runtime->out, OP_MUL, row, number(runtime, runtime->slots));
    return emit_binary(&runtime->out, OP_ADD, first, slot);
}

uint32_t shared_address(struct runtime *runtime, enum bound_shared shared) {
    uint64_t address = builder_global_at(runtime->out.builder, runtime->shared[shared])->address;
    return builder_address(runtime->out.builder, address);
}

uint32_t call_1(struct runtime *runtime, enum bound_function function, uint32_t argument) {
    return emit_call(&runtime->out, runtime->functions[function], &argument, 1);
}

void call_0(struct runtime *runtime, enum bound_function function) {
    emit_call(&runtime->out, runtime->functions[function], NULL, 0);
}

void emit_marker(struct runtime *runtime, enum bound_marker marker, uint32_t value) {
    if (runtime->options.markers) {
        emit_nondet(&runtime->out, marker, value, value);
    }
}

void emit_dirty(struct runtime *runtime) {
    if (runtime->has_awaits) {
        cell_set(runtime, CELL_dirty, number(runtime, 1));
    }
}

void emit_changed(struct runtime *runtime) {
    if (runtime->has_awaits) {
        emit_store(&runtime->out, shared_address(runtime, SHARED_changed), number(runtime, UINT64_MAX), 8);
    }
}

void begin_function(struct runtime *runtime, enum bound_function function) {
    builder_begin(runtime->out.builder, runtime->functions[function]);
    runtime->out.registers = builder_function_at(runtime->out.builder, runtime->functions[function])->parameters;
    runtime->out.pos = 0;
}

void end_function(struct runtime *runtime) {
    builder_end(runtime->out.builder, runtime->out.registers);
}

void return_nothing(struct runtime *runtime) {
    emit_return(&runtime->out, NULL, 0);
}

/* Jumps if the address is in memory that only this thread can access. */
void jump_if_private(struct runtime *runtime, uint32_t address, struct label *label) {
    struct assembler *out = &runtime->out;
    struct label shared = {0};
    if (runtime->options.portable) {
        return; /* all accesses here are to shared memory */
    }
    uint32_t bit = emit_binary(out, OP_AND, address, number(runtime, PRIVATE_BIT));
    emit_jump_unless(out, bit, &shared);
    emit_jump_if(out, emit_compare(out, PREDICATE_UGE, address, number(runtime, THREAD_BASE)), label);
    label_put(out, &shared);
}

/* Bits of a mask to bytes of ones. */
uint32_t spread(struct runtime *runtime, uint32_t mask) {
    struct assembler *out = &runtime->out;
    uint32_t copies = emit_binary(out, OP_MUL, mask, number(runtime, UINT64_C(0x0101010101010101)));
    uint32_t picked = emit_binary(out, OP_AND, copies, number(runtime, UINT64_C(0x8040201008040201)));
    uint32_t carried = emit_binary(out, OP_ADD, picked, number(runtime, UINT64_C(0x7f7f7f7f7f7f7f7f)));
    uint32_t tops = emit_binary(out, OP_AND, carried, number(runtime, UINT64_C(0x8080808080808080)));
    uint32_t ones = emit_binary(out, OP_LSHR, tops, number(runtime, 7));
    return emit_binary(out, OP_MUL, ones, number(runtime, ALL_BYTES));
}

uint32_t inverted(struct runtime *runtime, uint32_t value) {
    return emit_binary(&runtime->out, OP_XOR, value, number(runtime, UINT64_MAX));
}

uint32_t plus(struct runtime *runtime, uint32_t value, uint64_t more) {
    return emit_binary(&runtime->out, OP_ADD, value, number(runtime, more));
}

void loop_begin(struct runtime *runtime, struct loop_code *loop, uint32_t limit) {
    struct assembler *out = &runtime->out;
    *loop = (struct loop_code){.counter = emit_register(out)};
    emit_move(out, loop->counter, number(runtime, 0));
    label_put(out, &loop->top);
    emit_jump_unless(out, emit_compare(out, PREDICATE_ULT, loop->counter, limit), &loop->done);
}

void loop_end(struct runtime *runtime, struct loop_code *loop) {
    struct assembler *out = &runtime->out;
    label_put(out, &loop->next);
    emit_move(out, loop->counter, plus(runtime, loop->counter, 1));
    emit_jump(out, &loop->top);
    label_put(out, &loop->done);
}

void emit_real_free(struct runtime *runtime, uint32_t address) {
    builder_emit(runtime->out.builder,
                 (struct instruction){.op = OP_FREE, .dst = NO_REGISTER, .a = address, .pos = runtime->out.pos});
}

void emit_refusal(struct runtime *runtime, uint32_t used, uint32_t limit, const char *message) {
    struct assembler *out = &runtime->out;
    struct label room = {0};
    emit_jump_if(out, emit_compare(out, PREDICATE_ULT, used, number(runtime, limit)), &room);
    emit_error(out, ERROR_MISUSE, message);
    label_put(out, &room);
}
