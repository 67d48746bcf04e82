/* Condition variables and barriers of a translated program.
 *
 * A wait has several steps in different rounds, which one instruction of the machine cannot do inside the atomic
 * section that a round is.  So who waits is kept in a table of the translated program; mutexes and barriers keep their
 * state in the user's memory, as instruction.h says, and there it is read and written. */
#include <errno.h>

#include "bound/runtime.h"

#define WOKEN 1u
#define MUTEX_DEPTH 4u
#define BARRIER_ARRIVED 4u

static uint32_t at(struct runtime *runtime, uint32_t address, uint64_t offset) {
    return emit_binary(&runtime->out, OP_ADD, address, number(runtime, offset));
}

/* Address of element `index` of a table of the program. */
static uint32_t entry(struct runtime *runtime, enum bound_shared table, uint32_t index) {
    uint32_t offset = emit_binary(&runtime->out, OP_MUL, index, number(runtime, 8));
    return emit_binary(&runtime->out, OP_ADD, offset, shared_address(runtime, table));
}

static void emit_step(struct runtime *runtime) {
    emit_marker(runtime, MARKER_STEP, number(runtime, 0));
}

/* Takes a free place in the table for the condition variable in register 0. */
static uint32_t take_place(struct runtime *runtime) {
    struct assembler *out = &runtime->out;
    struct label again = {0};
    struct label found = {0};
    uint32_t place = emit_register(out);
    emit_move(out, place, number(runtime, 0));
    label_put(out, &again);
    struct label room = {0};
    emit_jump_if(out, emit_compare(out, PREDICATE_ULT, place, number(runtime, BOUND_WAITERS)), &room);
    emit_error(out, ERROR_MISUSE, BOUND_NO_WAITER);
    label_put(out, &room);
    emit_jump_unless(out, emit_load(out, entry(runtime, SHARED_waiting, place), 8), &found);
    emit_move(out, place, at(runtime, place, 1));
    emit_jump(out, &again);
    label_put(out, &found);
    emit_store(out, entry(runtime, SHARED_waiting, place), 0, 8);
    emit_store(out, entry(runtime, SHARED_waiter, place), emit_self(out), 8);
    return place;
}

static void leave_place(struct runtime *runtime, uint32_t place) {
    emit_store(&runtime->out, entry(runtime, SHARED_waiting, place), number(runtime, 0), 8);
    emit_store(&runtime->out, entry(runtime, SHARED_waiter, place), number(runtime, 0), 8);
}

/* Goes on without a signal: time is up, or nobody knows why.  The code is set. */
static void wake_alone(struct runtime *runtime, uint32_t code) {
    struct assembler *out = &runtime->out;
    struct label untimed = {0};
    struct label done = {0};
    struct label times_out = {0};
    emit_jump_unless(out, 2, &untimed);
    if (runtime->options.spurious) {
        emit_jump_unless(out, emit_nondet(out, 1, number(runtime, 0), number(runtime, 1)), &times_out);
        emit_jump(out, &done);
        label_put(out, &times_out);
    }
    emit_move(out, code, number(runtime, ETIMEDOUT));
    emit_jump(out, &done);
    label_put(out, &untimed);
    if (!runtime->options.spurious) {
        emit_assume(out, number(runtime, 0));
    }
    label_put(out, &done);
}

/* Parameters: condition variable, mutex, is it timed. */
static void emit_cond_wait(struct runtime *runtime) {
    struct assembler *out = &runtime->out;
    struct label owner = {0};
    struct label woken = {0};
    struct label take = {0};
    struct label timed = {0};
    struct label waited = {0};
    begin_function(runtime, FUNCTION_cond_wait);
    call_1(runtime, FUNCTION_before, number(runtime, 0));
    uint32_t code = emit_register(out);
    emit_move(out, code, number(runtime, 0));
    emit_load(out, 0, 4); /* the condition variable must be there */
    uint32_t self = at(runtime, emit_self(out), 1);
    emit_jump_if(out, emit_compare(out, PREDICATE_EQ, emit_load(out, 1, 4), self), &owner);
    emit_error(out, ERROR_NOT_OWNER, "a thread waits at a condition variable without holding the mutex");
    label_put(out, &owner);
    uint32_t depth = emit_load(out, at(runtime, 1, MUTEX_DEPTH), 4);
    emit_store(out, 1, number(runtime, 0), 4);
    emit_store(out, at(runtime, 1, MUTEX_DEPTH), number(runtime, 0), 4);
    emit_changed(runtime);
    uint32_t place = take_place(runtime);
    emit_step(runtime);
    /* Only who can go on without a signal may do so in the same round. */
    if (runtime->options.spurious) {
        call_0(runtime, FUNCTION_point);
    } else {
        emit_jump_if(out, 2, &timed);
        emit_not_in_section(runtime);
        call_0(runtime, FUNCTION_next_round);
        emit_jump(out, &waited);
        label_put(out, &timed);
        call_0(runtime, FUNCTION_point);
        label_put(out, &waited);
    }
    uint32_t state = emit_load(out, entry(runtime, SHARED_waiting, place), 8);
    emit_jump_if(out, emit_compare(out, PREDICATE_EQ, state, number(runtime, WOKEN)), &woken);
    wake_alone(runtime, code);
    leave_place(runtime, place);
    emit_step(runtime);
    cell_set(runtime, CELL_acted, number(runtime, 1));
    call_0(runtime, FUNCTION_point);
    emit_jump(out, &take);
    label_put(out, &woken);
    leave_place(runtime, place);
    label_put(out, &take);
    emit_assume(out, emit_compare(out, PREDICATE_EQ, emit_load(out, 1, 4), number(runtime, 0)));
    emit_store(out, 1, self, 4);
    emit_store(out, at(runtime, 1, MUTEX_DEPTH), depth, 4);
    emit_changed(runtime);
    cell_set(runtime, CELL_acted, number(runtime, 1));
    emit_step(runtime);
    emit_dirty(runtime);
    emit_return(out, &code, 1);
    end_function(runtime);
}

/* The beginning of a function that wakes: it looks at all places for waiters in turn, from here on. */
static uint32_t begin_waking(struct runtime *runtime, enum bound_function function, struct label *again) {
    struct assembler *out = &runtime->out;
    begin_function(runtime, function);
    call_1(runtime, FUNCTION_before, number(runtime, 0));
    emit_load(out, 0, 4);
    emit_dirty(runtime);
    emit_changed(runtime);
    uint32_t place = emit_register(out);
    emit_move(out, place, number(runtime, 0));
    label_put(out, again);
    return place;
}

static void next_place(struct runtime *runtime, uint32_t place, struct label *again) {
    struct assembler *out = &runtime->out;
    emit_move(out, place, at(runtime, place, 1));
    emit_jump_if(out, emit_compare(out, PREDICATE_ULT, place, number(runtime, BOUND_WAITERS)), again);
}

static void emit_cond_signal(struct runtime *runtime) {
    struct assembler *out = &runtime->out;
    struct label again = {0};
    struct label some = {0};
    uint32_t place = begin_waking(runtime, FUNCTION_cond_signal, &again);
    uint32_t waiting = emit_load(out, entry(runtime, SHARED_waiting, place), 8);
    emit_jump_if(out, emit_compare(out, PREDICATE_EQ, waiting, 0), &some);
    next_place(runtime, place, &again);
    emit_marker(runtime, MARKER_WAKES, number(runtime, 0));
    return_nothing(runtime);
    label_put(out, &some);
    uint32_t chosen = emit_nondet(out, CHOICE_WAITER, place, number(runtime, BOUND_WAITERS - 1));
    uint32_t slot = entry(runtime, SHARED_waiting, chosen);
    emit_assume(out, emit_compare(out, PREDICATE_EQ, emit_load(out, slot, 8), 0));
    emit_store(out, slot, number(runtime, WOKEN), 8);
    if (runtime->options.markers) {
        uint32_t thread = emit_load(out, entry(runtime, SHARED_waiter, chosen), 8);
        emit_marker(runtime, MARKER_WAKES, at(runtime, thread, 1));
    }
    return_nothing(runtime);
    end_function(runtime);
}

static void emit_cond_broadcast(struct runtime *runtime) {
    struct assembler *out = &runtime->out;
    struct label again = {0};
    struct label next = {0};
    uint32_t place = begin_waking(runtime, FUNCTION_cond_broadcast, &again);
    uint32_t slot = entry(runtime, SHARED_waiting, place);
    emit_jump_unless(out, emit_compare(out, PREDICATE_EQ, emit_load(out, slot, 8), 0), &next);
    emit_store(out, slot, number(runtime, WOKEN), 8);
    label_put(out, &next);
    next_place(runtime, place, &again);
    emit_step(runtime);
    return_nothing(runtime);
    end_function(runtime);
}

static void emit_barrier_wait(struct runtime *runtime) {
    struct assembler *out = &runtime->out;
    struct label waits = {0};
    struct label again = {0};
    struct label next = {0};
    begin_function(runtime, FUNCTION_barrier_wait);
    call_1(runtime, FUNCTION_before, number(runtime, 0));
    uint32_t count = emit_load(out, 0, 4);
    uint32_t arrived = at(runtime, emit_load(out, at(runtime, 0, BARRIER_ARRIVED), 4), 1);
    emit_dirty(runtime);
    emit_changed(runtime);
    emit_jump_if(out, emit_compare(out, PREDICATE_ULT, arrived, count), &waits);
    emit_store(out, at(runtime, 0, BARRIER_ARRIVED), number(runtime, 0), 4);
    uint32_t place = emit_register(out);
    emit_move(out, place, number(runtime, 0));
    label_put(out, &again);
    uint32_t slot = entry(runtime, SHARED_waiting, place);
    emit_jump_unless(out, emit_compare(out, PREDICATE_EQ, emit_load(out, slot, 8), 0), &next);
    emit_store(out, slot, number(runtime, WOKEN), 8);
    label_put(out, &next);
    next_place(runtime, place, &again);
    emit_step(runtime);
    uint32_t serial = number(runtime, UINT32_MAX);
    emit_return(out, &serial, 1);
    label_put(out, &waits);
    emit_store(out, at(runtime, 0, BARRIER_ARRIVED), arrived, 4);
    place = take_place(runtime);
    emit_step(runtime);
    emit_not_in_section(runtime);
    call_0(runtime, FUNCTION_next_round);
    uint32_t state = emit_load(out, entry(runtime, SHARED_waiting, place), 8);
    emit_assume(out, emit_compare(out, PREDICATE_EQ, state, number(runtime, WOKEN)));
    leave_place(runtime, place);
    cell_set(runtime, CELL_acted, number(runtime, 1));
    emit_step(runtime);
    uint32_t zero = number(runtime, 0);
    emit_return(out, &zero, 1);
    end_function(runtime);
}

void runtime_emit_waiting(struct runtime *runtime) {
    emit_cond_wait(runtime);
    emit_cond_signal(runtime);
    emit_cond_broadcast(runtime);
    emit_barrier_wait(runtime);
}
