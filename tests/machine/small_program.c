/* See small_program.h. */
#include "small_program.h"

#include <stdio.h>

void small_init(struct small_program *small, uint32_t threads) {
    *small = (struct small_program){.threads = threads, .arguments = NO_REGISTER};
    builder_init(&small->builder);
    builder_function(&small->builder, "main", 0, 0, 0);
    for (uint32_t i = 1; i <= threads; i++) {
        char name[16];
        snprintf(name, sizeof name, "thread%u", i);
        builder_function(&small->builder, name, 2, 0, 0);
    }
}

static uint64_t make_variable(struct small_program *small, const char *name, const void *bytes, uint64_t size,
                              uint32_t flags) {
    uint32_t global = builder_global(&small->builder, name, size, 8, flags);
    if (bytes) {
        builder_global_bytes(&small->builder, global, bytes, size);
    }
    /* Only variables with a position are part of a printed state. */
    uint32_t pos = builder_position(&small->builder, "small.c", 1, 1, NULL, name);
    builder_global_at(&small->builder, global)->pos = pos;
    return builder_global_at(&small->builder, global)->address;
}

uint64_t small_variable(struct small_program *small, const char *name, uint64_t size) {
    return make_variable(small, name, NULL, size, 0);
}

uint64_t small_constant_variable(struct small_program *small, const char *name, const void *bytes, uint64_t size) {
    return make_variable(small, name, bytes, size, GLOBAL_CONSTANT);
}

static void close_function(struct small_program *small) {
    if (small->open) {
        small_return(small);
        builder_end(&small->builder, SMALL_REGISTERS);
        small->open = false;
    }
}

/* Code ranges follow each other in the order of the functions, so functions are emitted in that order: main, threads
 * 1 .. n, others.  A main without code of its own is made when the first thread begins. */
void small_main(struct small_program *small) {
    builder_begin(&small->builder, 0);
    small->open = true;
    small->has_main = true;
}

void small_function(struct small_program *small, uint32_t function) {
    if (!small->has_main) {
        small_main(small);
    }
    if (!small->spawned) {
        small_spawn(small);
    }
    close_function(small);
    builder_begin(&small->builder, function);
    small->open = true;
}

void small_thread(struct small_program *small, uint32_t thread) {
    small_function(small, thread);
}

void small_spawn(struct small_program *small) {
    uint32_t argument = small->arguments == NO_REGISTER ? small_number(small, 0) : small->arguments;
    for (uint32_t i = 1; i <= small->threads; i++) {
        small_emit(small, (struct instruction){.op = OP_SYNC,
                                               .width = SYNC_THREAD_CREATE,
                                               .dst = NO_REGISTER,
                                               .a = small_number(small, function_address(i)),
                                               .b = argument,
                                               .c = small_number(small, i)});
    }
    small->spawned = true;
}

void small_finish(struct small_program *small, struct program *program) {
    if (!small->has_main) {
        small_main(small);
    }
    if (!small->spawned) {
        small_spawn(small);
    }
    close_function(small);
    builder_finish(&small->builder, program);
}

uint32_t small_number(struct small_program *small, uint64_t value) {
    return builder_constant(&small->builder, value);
}

uint32_t small_here(const struct small_program *small) {
    return builder_here(&small->builder);
}

uint32_t small_emit(struct small_program *small, struct instruction instruction) {
    instruction.pos = builder_position(&small->builder, "small.c", ++small->line, 1, NULL, NULL);
    builder_emit(&small->builder, instruction);
    return small->line;
}

uint32_t small_load(struct small_program *small, uint32_t dst, uint64_t address, unsigned size) {
    return small_emit(small, (struct instruction){.op = OP_LOAD,
                                                  .width = (uint8_t)size,
                                                  .flags = size > 8 ? INSTRUCTION_ATOMIC : 0,
                                                  .dst = dst,
                                                  .a = small_number(small, address)});
}

uint32_t small_store(struct small_program *small, uint64_t address, uint64_t value, unsigned size, enum order order) {
    uint32_t operand = size > 8 ? builder_constant_pair(&small->builder, value, 0) : small_number(small, value);
    return small_emit(small, (struct instruction){.op = OP_STORE,
                                                  .width = (uint8_t)size,
                                                  .sub = (uint8_t)order,
                                                  .flags = size > 8 ? INSTRUCTION_ATOMIC : 0,
                                                  .a = small_number(small, address),
                                                  .b = operand});
}

uint32_t small_store_register(struct small_program *small, uint64_t address, uint32_t value, unsigned size) {
    return small_emit(
        small,
        (struct instruction){.op = OP_STORE, .width = (uint8_t)size, .a = small_number(small, address), .b = value});
}

uint32_t small_rmw(struct small_program *small, uint32_t dst, enum rmw_kind kind, uint64_t address, uint64_t value,
                   unsigned size) {
    return small_emit(small, (struct instruction){.op = OP_RMW,
                                                  .width = (uint8_t)size,
                                                  .sub = ORDER_SEQ_CST,
                                                  .flags = INSTRUCTION_ATOMIC,
                                                  .dst = dst,
                                                  .a = small_number(small, address),
                                                  .b = small_number(small, value),
                                                  .c = kind});
}

uint32_t small_cas(struct small_program *small, uint32_t dst, uint64_t address, uint64_t expected, uint64_t value,
                   unsigned size) {
    return small_emit(small, (struct instruction){.op = OP_CAS,
                                                  .width = (uint8_t)size,
                                                  .sub = ORDER_SEQ_CST,
                                                  .flags = INSTRUCTION_ATOMIC,
                                                  .dst = dst,
                                                  .a = small_number(small, address),
                                                  .b = small_number(small, expected),
                                                  .c = small_number(small, value)});
}

uint32_t small_fence(struct small_program *small, enum order order) {
    return small_emit(small, (struct instruction){.op = OP_FENCE, .sub = (uint8_t)order});
}

uint32_t small_store_barrier(struct small_program *small) {
    return small_emit(small, (struct instruction){.op = OP_STORE_BARRIER});
}

uint32_t small_sync(struct small_program *small, uint32_t dst, enum sync_kind kind, uint64_t a, uint64_t b) {
    bool joins = kind == SYNC_THREAD_JOIN || kind == SYNC_THREAD_TRYJOIN;
    return small_emit(small, (struct instruction){.op = OP_SYNC,
                                                  .width = (uint8_t)kind,
                                                  .sub = dst == NO_REGISTER ? 0
                                                         : joins            ? 2
                                                                            : 1,
                                                  .dst = dst,
                                                  .a = small_number(small, a),
                                                  .b = small_number(small, b),
                                                  .c = small_number(small, 0)});
}

uint32_t small_assert_equal(struct small_program *small, uint32_t reg, uint64_t value, uint32_t scratch) {
    small_emit(small, (struct instruction){.op = OP_ICMP,
                                           .width = 64,
                                           .sub = PREDICATE_EQ,
                                           .dst = scratch,
                                           .a = reg,
                                           .b = small_number(small, value)});
    return small_emit(small, (struct instruction){.op = OP_ASSERT,
                                                  .a = scratch,
                                                  .b = builder_string(&small->builder, "a register's value")});
}

uint32_t small_return(struct small_program *small) {
    return small_emit(small, (struct instruction){.op = OP_RET});
}

/* --- The machine -------------------------------------------------------------------------------------------------- */

struct machine *small_machine(const struct program *program, enum memory_model model) {
    struct machine *machine = machine_new(program, &(struct machine_options){.model = model});
    small_start(machine);
    return machine;
}

void small_start(struct machine *machine) {
    while (!machine_thread_finished(machine, 0)) {
        take(machine, 0);
    }
}

bool can_step(struct machine *machine, uint32_t thread) {
    return machine_is_enabled(machine, (struct transition){.thread = thread, .kind = TRANSITION_STEP});
}

static struct transition drain_of(struct machine *machine, uint32_t thread, size_t index) {
    const struct buffer_entry *entries;
    size_t count = machine_buffer(machine, thread, &entries);
    assert_true(index < count);
    return (struct transition){.thread = thread, .kind = TRANSITION_DRAIN, .choice = entries[index].serial};
}

bool can_drain(struct machine *machine, uint32_t thread, size_t index) {
    return machine_is_enabled(machine, drain_of(machine, thread, index));
}

const struct step *take(struct machine *machine, uint32_t thread) {
    return take_choice(machine, thread, 0);
}

const struct step *take_choice(struct machine *machine, uint32_t thread, uint64_t choice) {
    struct transition transition = {.thread = thread, .kind = TRANSITION_STEP, .choice = choice};
    assert_true(machine_is_enabled(machine, transition));
    machine_take(machine, transition);
    return machine_last(machine);
}

const struct step *take_drain(struct machine *machine, uint32_t thread, size_t index) {
    struct transition transition = drain_of(machine, thread, index);
    assert_true(machine_is_enabled(machine, transition));
    machine_take(machine, transition);
    return machine_last(machine);
}

size_t buffered(struct machine *machine, uint32_t thread) {
    const struct buffer_entry *entries;
    return machine_buffer(machine, thread, &entries);
}

uint64_t memory(struct machine *machine, uint64_t address, unsigned size) {
    uint64_t value[2];
    assert_true(machine_peek(machine, address, size, value));
    return value[0];
}

enum error_kind error_kind(struct machine *machine) {
    return machine_outcome(machine) == OUTCOME_ERROR ? machine_error(machine)->kind : ERROR_NONE;
}

uint32_t error_line(struct machine *machine) {
    return machine_program(machine)->positions[machine_error(machine)->pos].line;
}
