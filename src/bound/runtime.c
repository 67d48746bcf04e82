/* The functions of the bookkeeping, emitted once into every translated program.
 *
 * Invariants, between statements of one thread:
 *
 *   B1. distance is 0 exactly when nothing of the thread is pending: no rows, no ends.
 *   B2. A row has some bit in row_pending; row_pending is the union of its masks; bytes of row_view, row_joined and
 *       row_queue outside their masks are 0, so that equal states are equal bytes.
 *   B3. Outside a thread's atomic section, its variables do not change.
 *   B4. Slots beyond `distance` have nothing pending. */
#include "bound/runtime.h"

#define THREADS_WITH_BIT 64u

/* --- Rounds ------------------------------------------------------------------------------------------------------- */

static void emit_want_if(struct runtime *runtime, uint32_t condition) {
    struct assembler *out = &runtime->out;
    struct label fine = {0};
    emit_jump_unless(out, condition, &fine);
    emit_error(out, ERROR_MISUSE, BOUND_WANTS_ROUND);
    label_put(out, &fine);
}

/* Is this the round beyond the bound, which only exists to find whether a thread does anything in it? */
static uint32_t is_probe_round(struct runtime *runtime) {
    return emit_compare(&runtime->out, PREDICATE_EQ, cell_get(runtime, CELL_round),
                        number(runtime, runtime->options.bound));
}

/* Ends a round and begins the next one of this thread, after a round of another thread: otherwise the two would be one.
 * An empty round is none: an execution with it has a twin in which stores drain a round earlier. */
static void emit_next_round(struct runtime *runtime) {
    struct assembler *out = &runtime->out;
    begin_function(runtime, FUNCTION_next_round);
    uint32_t round = plus(runtime, cell_get(runtime, CELL_round), 1);
    emit_assume(out, cell_get(runtime, CELL_acted));
    emit_plain(out, OP_ATOMIC_END);
    if (runtime->rounds) {
        /* After its last round a thread stops; the others continue. */
        struct label more = {0};
        emit_jump_if(out, emit_compare(out, PREDICATE_ULT, round, number(runtime, runtime->rounds)), &more);
        emit_plain(out, OP_HALT);
        label_put(out, &more);
    }
    emit_plain(out, OP_ATOMIC_BEGIN);
    if (!runtime->rounds) {
        uint32_t wraps = emit_compare(out, PREDICATE_EQ, round, number(runtime, runtime->slots));
        round = emit_select(out, wraps, number(runtime, 0), round);
    }
    uint32_t self = plus(runtime, emit_self(out), 1);
    uint32_t last = shared_address(runtime, SHARED_last);
    emit_assume(out, emit_compare(out, PREDICATE_NE, emit_load(out, last, 8), self));
    emit_store(out, last, self, 8);
    cell_set(runtime, CELL_round, round);
    uint32_t distance = cell_get(runtime, CELL_distance);
    uint32_t less = emit_binary(out, OP_SUB, distance, number(runtime, 1));
    cell_set(runtime, CELL_distance, emit_select(out, distance, less, number(runtime, 0)));
    emit_marker(runtime, MARKER_ROUND, round);
    uint32_t drained = call_1(runtime, FUNCTION_drain, round);
    cell_set(runtime, CELL_acted, drained);
    if (!runtime->rounds) {
        /* With nothing pending the index of the present slot does not matter: 0 makes equal states have equal bytes. */
        uint32_t pending = cell_get(runtime, CELL_distance);
        cell_set(runtime, CELL_round, emit_select(out, pending, round, number(runtime, 0)));
    }
    if (runtime->options.probe && runtime->rounds) {
        emit_want_if(runtime, emit_binary(out, OP_AND, drained, is_probe_round(runtime)));
    } else if (runtime->options.probe) {
        uint32_t wish = cell_get(runtime, CELL_wish);
        uint32_t sooner = emit_binary(out, OP_SUB, wish, number(runtime, 1));
        cell_set(runtime, CELL_wish, emit_select(out, wish, sooner, number(runtime, 0)));
        emit_want_if(runtime, emit_compare(out, PREDICATE_EQ, wish, number(runtime, 1)));
    }
    return_nothing(runtime);
    end_function(runtime);
}

/* Before a statement.  A round that has done nothing yet does not end. */
static void emit_point(struct runtime *runtime) {
    struct assembler *out = &runtime->out;
    struct label again = {0};
    struct label done = {0};
    begin_function(runtime, FUNCTION_point);
    emit_jump_if(out, cell_get(runtime, CELL_section), &done);
    emit_jump_unless(out, cell_get(runtime, CELL_company), &done);
    if (runtime->options.probe && runtime->rounds) {
        emit_want_if(runtime, emit_binary(out, OP_AND, cell_get(runtime, CELL_acted), is_probe_round(runtime)));
    }
    label_put(out, &again);
    emit_jump_unless(out, cell_get(runtime, CELL_acted), &done);
    emit_jump_unless(out, emit_nondet(out, CHOICE_END, number(runtime, 0), number(runtime, 1)), &done);
    call_0(runtime, FUNCTION_next_round);
    emit_jump(out, &again);
    label_put(out, &done);
    return_nothing(runtime);
    end_function(runtime);
}

static void emit_settle(struct runtime *runtime) {
    struct assembler *out = &runtime->out;
    struct label again = {0};
    struct label done = {0};
    begin_function(runtime, FUNCTION_settle);
    label_put(out, &again);
    emit_jump_unless(out, cell_get(runtime, CELL_distance), &done);
    call_0(runtime, FUNCTION_next_round);
    emit_jump(out, &again);
    label_put(out, &done);
    return_nothing(runtime);
    end_function(runtime);
}

/* Stores drain in order, so only passing rounds reduce the distance.  In an atomic section, and before other threads
 * exist, nothing stays pending. */
static void emit_delay(struct runtime *runtime) {
    struct assembler *out = &runtime->out;
    struct label now = {0};
    struct label done = {0};
    begin_function(runtime, FUNCTION_delay);
    uint32_t result = emit_register(out);
    emit_jump_if(out, cell_get(runtime, CELL_section), &now);
    emit_jump_unless(out, cell_get(runtime, CELL_company), &now);
    uint32_t most = runtime->rounds
                        ? emit_binary(out, OP_SUB, number(runtime, runtime->rounds - 1), cell_get(runtime, CELL_round))
                        : number(runtime, runtime->slots - 1);
    emit_move(out, result, cell_get(runtime, CELL_distance));
    emit_jump_if(out, emit_compare(out, PREDICATE_EQ, result, most), &done);
    /* The longest delay first, since that soon shows the difference that TSO makes, and a table that is too small. */
    uint32_t sooner = emit_nondet(out, CHOICE_DELAY, number(runtime, 0), emit_binary(out, OP_SUB, most, result));
    emit_move(out, result, emit_binary(out, OP_SUB, most, sooner));
    cell_set(runtime, CELL_distance, result);
    label_put(out, &done);
    if (runtime->options.probe && !runtime->rounds) {
        struct label wished = {0};
        emit_jump_if(out, cell_get(runtime, CELL_wish), &wished);
        emit_jump_unless(out, emit_compare(out, PREDICATE_EQ, result, most), &wished);
        cell_set(runtime, CELL_wish, most);
        label_put(out, &wished);
    }
    emit_return(out, &result, 1);
    label_put(out, &now);
    uint32_t zero = number(runtime, 0);
    emit_return(out, &zero, 1);
    end_function(runtime);
}

static void emit_slot(struct runtime *runtime) {
    struct assembler *out = &runtime->out;
    begin_function(runtime, FUNCTION_slot);
    uint32_t slot = emit_binary(out, OP_ADD, cell_get(runtime, CELL_round), 0);
    if (!runtime->rounds) {
        slot = emit_binary(out, OP_UREM, slot, number(runtime, runtime->slots));
    }
    emit_return(out, &slot, 1);
    end_function(runtime);
}

/* --- Accesses ----------------------------------------------------------------------------------------------------- */

/* If a thread accesses an object that it has ended itself, the end takes effect at once: then the access is an error,
 * as it should be. */
static void emit_meet_ends(struct runtime *runtime) {
    struct assembler *out = &runtime->out;
    begin_function(runtime, FUNCTION_meet_ends);
    struct loop_code ends;
    loop_begin(runtime, &ends, cell_get(runtime, CELL_ends));
    uint32_t address = array_get(runtime, ARRAY_end_address, ends.counter);
    uint32_t offset = emit_binary(out, OP_SUB, 0, address);
    uint32_t size = array_get(runtime, ARRAY_end_size, ends.counter);
    emit_jump_unless(out, emit_compare(out, PREDICATE_ULT, offset, size), &ends.next);
    emit_real_free(runtime, address);
    loop_end(runtime, &ends);
    return_nothing(runtime);
    end_function(runtime);
}

/* Before a store: does the round end here, and when does the store drain?  If the number of rounds is bounded, a store
 * that stays pending might as well be executed in the round before, so the round does not end before such a store. */
static uint32_t emit_delay_at_point(struct runtime *runtime) {
    struct assembler *out = &runtime->out;
    struct label pending = {0};
    struct label done = {0};
    if (!runtime->rounds) {
        call_0(runtime, FUNCTION_point);
        cell_set(runtime, CELL_acted, number(runtime, 1));
        return emit_call(out, runtime->functions[FUNCTION_delay], NULL, 0);
    }
    uint32_t delay = emit_call(out, runtime->functions[FUNCTION_delay], NULL, 0);
    emit_jump_if(out, delay, &pending);
    call_0(runtime, FUNCTION_point);
    emit_jump(out, &done);
    label_put(out, &pending);
    if (runtime->options.probe) {
        emit_want_if(runtime, emit_binary(out, OP_AND, cell_get(runtime, CELL_acted), is_probe_round(runtime)));
    }
    label_put(out, &done);
    cell_set(runtime, CELL_acted, number(runtime, 1));
    return delay;
}

static void emit_access(struct runtime *runtime, enum op op, uint8_t flags, unsigned size, uint32_t dst,
                        uint32_t address, uint32_t value) {
    builder_emit(runtime->out.builder, (struct instruction){.op = (uint8_t)op,
                                                            .width = (uint8_t)size,
                                                            .sub = ORDER_RELAXED,
                                                            .flags = INSTRUCTION_ATOMIC | flags,
                                                            .dst = dst,
                                                            .a = address,
                                                            .b = value,
                                                            .pos = runtime->out.pos});
}

static void emit_real_access(struct runtime *runtime, enum op op, unsigned size, uint32_t dst, uint32_t address,
                             uint32_t value) {
    emit_access(runtime, op, 0, size, dst, address, value);
}

/* Fails if the object is not there; the value read is not used. */
static void emit_presence(struct runtime *runtime, unsigned size, uint32_t scratch, uint32_t address) {
    emit_access(runtime, OP_LOAD, INSTRUCTION_UNASSUMED, size, scratch, address, 0);
}

/* The pending bytes of an access: size 16 counts as two words. */
struct pending_code {
    uint32_t any;
    uint32_t whole; /* all bytes, from one store */
    uint32_t value[2];
};

static struct pending_code emit_pending(struct runtime *runtime, unsigned size) {
    struct assembler *out = &runtime->out;
    uint32_t part = size > 8 ? 8 : size;
    uint32_t full = number(runtime, (1u << part) - 1);
    const uint32_t arguments[] = {0, number(runtime, part)};
    uint32_t got = emit_call(out, runtime->functions[FUNCTION_get], arguments, 2);
    struct pending_code code = {.any = got, .value = {got + 2, got + 2}};
    uint32_t joined = emit_binary(out, OP_OR, got + 1, number(runtime, 1));
    code.whole = emit_compare(out, PREDICATE_EQ, emit_binary(out, OP_AND, got, joined), full);
    if (size > 8) {
        const uint32_t following[] = {plus(runtime, 0, 8), number(runtime, 8)};
        uint32_t more = emit_call(out, runtime->functions[FUNCTION_get], following, 2);
        code.any = emit_binary(out, OP_OR, code.any, more);
        uint32_t all = emit_binary(out, OP_AND, more, more + 1);
        code.whole = emit_binary(out, OP_AND, code.whole, emit_compare(out, PREDICATE_EQ, all, full));
        code.value[1] = more + 2;
    }
    return code;
}

static void emit_load_function(struct runtime *runtime, enum bound_function function, unsigned size) {
    struct assembler *out = &runtime->out;
    struct label again = {0};
    struct label memory = {0};
    struct label pending = {0};
    struct label plain = {0};
    begin_function(runtime, function);
    uint32_t value = emit_register(out);
    emit_register(out);
    unsigned results = size > 8 ? 2 : 1;
    jump_if_private(runtime, 0, &plain);
    label_put(out, &again);
    call_0(runtime, FUNCTION_point);
    emit_jump_unless(out, cell_get(runtime, CELL_distance), &memory);
    call_1(runtime, FUNCTION_meet_ends, 0);
    struct pending_code code = emit_pending(runtime, size);
    emit_jump_unless(out, code.any, &memory);
    emit_jump_if(out, code.whole, &pending);
    call_0(runtime, FUNCTION_next_round);
    emit_jump(out, &again);
    label_put(out, &pending);
    cell_set(runtime, CELL_acted, number(runtime, 1));
    emit_marker(runtime, MARKER_STEP, 0);
    emit_presence(runtime, size, value, 0);
    emit_return(out, code.value, results);
    label_put(out, &memory);
    cell_set(runtime, CELL_acted, number(runtime, 1));
    emit_marker(runtime, MARKER_STEP, 0);
    label_put(out, &plain);
    emit_real_access(runtime, OP_LOAD, size, value, 0, 0);
    const uint32_t values[] = {value, value + 1};
    emit_return(out, values, results);
    end_function(runtime);
}

/* Parameters: address, value (one or two), quiet. */
static void emit_store_function(struct runtime *runtime, enum bound_function function, unsigned size) {
    struct assembler *out = &runtime->out;
    struct label plain = {0};
    struct label at_once = {0};
    struct label counted = {0};
    unsigned quiet = size > 8 ? 3 : 2;
    begin_function(runtime, function);
    uint32_t scratch = emit_register(out);
    emit_register(out);
    if (runtime->has_awaits) {
        emit_jump_if(out, quiet, &counted);
        emit_dirty(runtime);
        label_put(out, &counted);
    }
    jump_if_private(runtime, 0, &plain);
    uint32_t delay = emit_delay_at_point(runtime);
    emit_marker(runtime, MARKER_STEP, 0);
    call_1(runtime, FUNCTION_meet_ends, 0);
    emit_jump_unless(out, delay, &at_once);
    emit_presence(runtime, size, scratch, 0);
    uint32_t slot = call_1(runtime, FUNCTION_slot, delay);
    const uint32_t first[] = {0, number(runtime, size > 8 ? 8 : size), 1, number(runtime, 0), slot};
    emit_call(out, runtime->functions[FUNCTION_put], first, 5);
    if (size > 8) {
        const uint32_t second[] = {plus(runtime, 0, 8), number(runtime, 8), 2, number(runtime, 1), slot};
        emit_call(out, runtime->functions[FUNCTION_put], second, 5);
    }
    call_1(runtime, FUNCTION_part, plus(runtime, 0, size));
    emit_marker(runtime, MARKER_DELAY, delay);
    return_nothing(runtime);
    label_put(out, &at_once);
    emit_real_access(runtime, OP_STORE, size, NO_REGISTER, 0, 1);
    emit_changed(runtime);
    emit_marker(runtime, MARKER_DELAY, number(runtime, 0));
    return_nothing(runtime);
    label_put(out, &plain);
    emit_real_access(runtime, OP_STORE, size, NO_REGISTER, 0, 1);
    return_nothing(runtime);
    end_function(runtime);
}

static void emit_before(struct runtime *runtime) {
    struct assembler *out = &runtime->out;
    struct label plain = {0};
    begin_function(runtime, FUNCTION_before);
    jump_if_private(runtime, 0, &plain);
    call_0(runtime, FUNCTION_point);
    call_0(runtime, FUNCTION_settle);
    cell_set(runtime, CELL_acted, number(runtime, 1));
    label_put(out, &plain);
    return_nothing(runtime);
    end_function(runtime);
}

/* With the marker of the step; parameters: address, did it write. */
static void emit_after(struct runtime *runtime) {
    struct assembler *out = &runtime->out;
    struct label plain = {0};
    struct label unchanged = {0};
    begin_function(runtime, FUNCTION_after);
    jump_if_private(runtime, 0, &plain);
    emit_marker(runtime, MARKER_STEP, 0);
    emit_jump_unless(out, 1, &unchanged);
    emit_changed(runtime);
    label_put(out, &plain);
    emit_jump_unless(out, 1, &unchanged);
    emit_dirty(runtime);
    label_put(out, &unchanged);
    return_nothing(runtime);
    end_function(runtime);
}

/* --- Ends of objects ---------------------------------------------------------------------------------------------- */

static void emit_end(struct runtime *runtime) {
    struct assembler *out = &runtime->out;
    struct label at_once = {0};
    begin_function(runtime, FUNCTION_end);
    emit_dirty(runtime);
    uint32_t delay = emit_delay_at_point(runtime);
    emit_marker(runtime, MARKER_STEP, 0);
    call_1(runtime, FUNCTION_meet_ends, 0);
    emit_jump_unless(out, delay, &at_once);
    uint32_t ends = cell_get(runtime, CELL_ends);
    emit_refusal(runtime, ends, runtime->copies, BOUND_NO_COPY);
    uint32_t size = emit_register(out);
    const uint32_t address = 0;
    builder_emit(out->builder, (struct instruction){.op = OP_LIB,
                                                    .sub = 1,
                                                    .dst = size,
                                                    .a = LIB_OBJECT_SIZE,
                                                    .b = builder_operands(out->builder, &address, 1),
                                                    .c = 1});
    array_set(runtime, ARRAY_end_address, ends, 0);
    array_set(runtime, ARRAY_end_size, ends, size);
    array_set(runtime, ARRAY_end_slot, ends, call_1(runtime, FUNCTION_slot, delay));
    cell_set(runtime, CELL_ends, plus(runtime, ends, 1));
    emit_marker(runtime, MARKER_DELAY, delay);
    return_nothing(runtime);
    label_put(out, &at_once);
    emit_real_free(runtime, 0);
    emit_changed(runtime);
    emit_marker(runtime, MARKER_DELAY, number(runtime, 0));
    return_nothing(runtime);
    end_function(runtime);
}

/* Shared locals are heap objects in the translated program, so that their end can be delayed; but the program may not
 * free them. */
static void emit_free(struct runtime *runtime) {
    struct assembler *out = &runtime->out;
    begin_function(runtime, FUNCTION_free);
    if (runtime->has_locals) {
        struct loop_code locals;
        loop_begin(runtime, &locals, cell_get(runtime, CELL_locals));
        uint32_t local = array_get(runtime, ARRAY_local_address, locals.counter);
        emit_jump_unless(out, emit_compare(out, PREDICATE_EQ, local, 0), &locals.next);
        emit_error(out, ERROR_BAD_FREE, "free of a local variable");
        loop_end(runtime, &locals);
    }
    call_1(runtime, FUNCTION_end, 0);
    return_nothing(runtime);
    end_function(runtime);
}

static void emit_local(struct runtime *runtime) {
    begin_function(runtime, FUNCTION_local);
    emit_dirty(runtime);
    uint32_t locals = cell_get(runtime, CELL_locals);
    emit_refusal(runtime, locals, runtime->has_locals ? BOUND_LOCALS : 1, BOUND_NO_LOCAL);
    array_set(runtime, ARRAY_local_address, locals, 0);
    cell_set(runtime, CELL_locals, plus(runtime, locals, 1));
    return_nothing(runtime);
    end_function(runtime);
}

static void emit_leave(struct runtime *runtime) {
    struct assembler *out = &runtime->out;
    struct label again = {0};
    struct label done = {0};
    begin_function(runtime, FUNCTION_leave);
    label_put(out, &again);
    uint32_t locals = cell_get(runtime, CELL_locals);
    emit_jump_unless(out, emit_compare(out, PREDICATE_UGT, locals, 0), &done);
    uint32_t top = emit_binary(out, OP_SUB, locals, number(runtime, 1));
    uint32_t address = array_get(runtime, ARRAY_local_address, top);
    array_set(runtime, ARRAY_local_address, top, number(runtime, 0));
    cell_set(runtime, CELL_locals, top);
    call_1(runtime, FUNCTION_end, address);
    emit_jump(out, &again);
    label_put(out, &done);
    return_nothing(runtime);
    end_function(runtime);
}

static void emit_abandon(struct runtime *runtime) {
    begin_function(runtime, FUNCTION_abandon);
    struct loop_code locals;
    loop_begin(runtime, &locals, cell_get(runtime, CELL_locals));
    emit_real_free(runtime, array_get(runtime, ARRAY_local_address, locals.counter));
    loop_end(runtime, &locals);
    return_nothing(runtime);
    end_function(runtime);
}

/* --- Waiting loops ------------------------------------------------------------------------------------------------ */

/* This thread's bit.  Threads with large numbers have none, and never wait. */
static uint32_t own_bit(struct runtime *runtime) {
    struct assembler *out = &runtime->out;
    uint32_t self = emit_self(out);
    uint32_t bit = emit_binary(out, OP_SHL, number(runtime, 1), self);
    uint32_t has = emit_compare(out, PREDICATE_ULT, self, number(runtime, THREADS_WITH_BIT));
    return emit_select(out, has, bit, number(runtime, 0));
}

static void emit_await_begin(struct runtime *runtime) {
    struct assembler *out = &runtime->out;
    struct label done = {0};
    begin_function(runtime, FUNCTION_await_begin);
    cell_set(runtime, CELL_await, 0);
    cell_set(runtime, CELL_dirty, number(runtime, 0));
    uint32_t changed = shared_address(runtime, SHARED_changed);
    uint32_t bits = emit_load(out, changed, 8);
    uint32_t bit = own_bit(runtime);
    emit_jump_unless(out, emit_binary(out, OP_AND, bits, bit), &done);
    emit_store(out, changed, emit_binary(out, OP_AND, bits, inverted(runtime, bit)), 8);
    label_put(out, &done);
    return_nothing(runtime);
    end_function(runtime);
}

/* Has memory changed since await_begin?  Always, for a thread without a bit. */
static uint32_t has_changed(struct runtime *runtime) {
    struct assembler *out = &runtime->out;
    uint32_t bit = own_bit(runtime);
    uint32_t bits = emit_load(out, shared_address(runtime, SHARED_changed), 8);
    uint32_t set = emit_compare(out, PREDICATE_NE, emit_binary(out, OP_AND, bits, bit), number(runtime, 0));
    return emit_select(out, bit, set, number(runtime, 1));
}

/* An iteration of a waiting loop that did nothing would fail again within this round of the thread, because no other
 * thread changes memory in the round, and the thread's own view does not change when its stores drain. */
static void emit_await_again(struct runtime *runtime) {
    struct assembler *out = &runtime->out;
    struct label ordinary = {0};
    struct label done = {0};
    begin_function(runtime, FUNCTION_await_again);
    emit_jump_if(out, cell_get(runtime, CELL_dirty), &ordinary);
    emit_jump_unless(out, emit_compare(out, PREDICATE_EQ, cell_get(runtime, CELL_await), 0), &ordinary);
    emit_jump_if(out, has_changed(runtime), &done);
    emit_not_in_section(runtime);
    call_0(runtime, FUNCTION_next_round);
    emit_assume(out, has_changed(runtime));
    label_put(out, &done);
    uint32_t one = number(runtime, 1);
    emit_return(out, &one, 1);
    label_put(out, &ordinary);
    uint32_t zero = number(runtime, 0);
    emit_return(out, &zero, 1);
    end_function(runtime);
}

/* --- Threads ------------------------------------------------------------------------------------------------------ */

void emit_not_in_section(struct runtime *runtime) {
    struct assembler *out = &runtime->out;
    struct label fine = {0};
    emit_jump_unless(out, cell_get(runtime, CELL_section), &fine);
    emit_error(out, ERROR_ATOMIC_BLOCKED, "a thread waits inside an atomic section, where no other thread can wake it");
    label_put(out, &fine);
}

static void emit_format(struct runtime *runtime) {
    struct assembler *out = &runtime->out;
    struct label fine = {0};
    begin_function(runtime, FUNCTION_format);
    emit_jump_unless(out, cell_get(runtime, CELL_distance), &fine);
    emit_error(out, ERROR_MISUSE, BOUND_NO_FORMAT);
    label_put(out, &fine);
    return_nothing(runtime);
    end_function(runtime);
}

static void emit_thread_begin(struct runtime *runtime) {
    struct assembler *out = &runtime->out;
    begin_function(runtime, FUNCTION_thread_begin);
    emit_plain(out, OP_ATOMIC_BEGIN);
    uint32_t self = emit_self(out);
    emit_store(out, shared_address(runtime, SHARED_last), plus(runtime, self, 1), 8);
    cell_set(runtime, CELL_company, emit_compare(out, PREDICATE_NE, self, number(runtime, 0)));
    return_nothing(runtime);
    end_function(runtime);
}

/* The last action of a thread in its last round.  The thread ends in a later step, which has no marker: it is the same
 * in the original. */
static void emit_thread_end(struct runtime *runtime) {
    begin_function(runtime, FUNCTION_thread_end);
    call_0(runtime, FUNCTION_settle);
    if (runtime->options.probe && runtime->rounds) {
        emit_want_if(runtime, is_probe_round(runtime));
    }
    return_nothing(runtime);
    end_function(runtime);
}

/* In the order of BOUND_FUNCTIONS, which is the order of the functions' code. */
void runtime_emit(struct runtime *runtime) {
    static const unsigned sizes[] = {1, 2, 4, 8, 16};
    emit_find(runtime);
    emit_write(runtime);
    emit_drain(runtime);
    emit_next_round(runtime);
    emit_point(runtime);
    emit_settle(runtime);
    emit_delay(runtime);
    emit_slot(runtime);
    emit_get(runtime);
    emit_put_word(runtime);
    emit_put(runtime);
    emit_part(runtime);
    emit_meet_ends(runtime);
    for (int i = 0; i < 5; i++) {
        emit_load_function(runtime, FUNCTION_load_1 + i, sizes[i]);
    }
    for (int i = 0; i < 5; i++) {
        emit_store_function(runtime, FUNCTION_store_1 + i, sizes[i]);
    }
    emit_before(runtime);
    emit_after(runtime);
    emit_end(runtime);
    emit_free(runtime);
    emit_local(runtime);
    emit_leave(runtime);
    emit_abandon(runtime);
    emit_await_begin(runtime);
    emit_await_again(runtime);
    runtime_emit_waiting(runtime);
    emit_format(runtime);
    emit_thread_begin(runtime);
    emit_thread_end(runtime);
}
