/* Programs that no front end makes but the checker accepts: the machine runs them, or reports an error of theirs. */
#include <stdlib.h>

#include "small_program.h"

static void run_first(struct machine *machine) {
    const struct transition *enabled;
    while (machine_enabled(machine, &enabled) > 0) {
        machine_take(machine, enabled[0]);
    }
}

static enum outcome run_program(struct program *program, enum await_mode awaits, enum error_kind *kind) {
    struct machine_options options = {.model = MODEL_TSO, .awaits = awaits};
    struct machine *machine = machine_new(program, &options);
    run_first(machine);
    enum outcome outcome = machine_outcome(machine);
    *kind = outcome == OUTCOME_ERROR ? machine_error(machine)->kind : ERROR_NONE;
    machine_free(machine);
    program_delete(program);
    return outcome;
}

/* The first frame of a thread may be larger than a stack. */
static void thread_function_with_most_registers(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    enum error_kind kind;
    small_init(&small, 1);
    small_thread(&small, 1);
    small_emit(&small, (struct instruction){.op = OP_MOV, .width = 64, .dst = 2, .a = small_number(&small, 7)});
    small_finish(&small, &program);
    ((struct function *)program.functions)[1].registers = MAX_REGISTERS;
    assert_int_equal(run_program(&program, AWAIT_SPIN, &kind), OUTCOME_COMPLETE);
}

/* The divisor has bits beyond the width: what counts is 0. */
static void divisor_is_zero_at_its_width(void **state) {
    (void)state;
    const enum op operations[] = {OP_UDIV, OP_SDIV, OP_UREM, OP_SREM};
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        struct small_program small;
        struct program program;
        enum error_kind kind;
        small_init(&small, 1);
        small_thread(&small, 1);
        small_emit(&small, (struct instruction){.op = (uint8_t)operations[i],
                                                .width = 8,
                                                .dst = 2,
                                                .a = small_number(&small, 5),
                                                .b = small_number(&small, 256)});
        small_finish(&small, &program);
        assert_int_equal(run_program(&program, AWAIT_SPIN, &kind), OUTCOME_ERROR);
        assert_int_equal(kind, ERROR_DIVISION);
    }
}

/* What is written or compared has more bytes than the access. */
static void operands_wider_than_the_access(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    enum error_kind kind;
    small_init(&small, 1);
    uint64_t x = small_variable(&small, "x", 4);
    small_thread(&small, 1);
    small_rmw(&small, 2, RMW_XCHG, x, 0x12345, 2);
    small_cas(&small, 3, x, 0x992345, 0x6789a, 2);
    small_store(&small, x + 2, 0x70001, 2, ORDER_PLAIN);
    small_load(&small, 5, x + 2, 2);
    small_assert_equal(&small, 2, 0, 6);
    small_assert_equal(&small, 3, 0x2345, 6);
    small_assert_equal(&small, 4, 1, 6);
    small_assert_equal(&small, 5, 1, 6);
    small_load(&small, 2, x, 2);
    small_assert_equal(&small, 2, 0x789a, 6);
    small_finish(&small, &program);
    assert_int_equal(run_program(&program, AWAIT_SPIN, &kind), OUTCOME_COMPLETE);
}

/* A callee asks for no locals at all: those of its caller stay. */
static void stack_restore_keeps_the_locals_of_callers(void **state) {
    (void)state;
    for (unsigned flags = 0; flags <= INSTRUCTION_PRIVATE; flags += INSTRUCTION_PRIVATE) {
        struct small_program small;
        struct program program;
        enum error_kind kind;
        small_init(&small, 1);
        uint32_t callee = builder_function(&small.builder, "callee", 0, 0, 0);
        small_thread(&small, 1);
        small_emit(&small,
                   (struct instruction){
                       .op = OP_ALLOCA, .flags = (uint8_t)flags, .dst = 2, .a = small_number(&small, 8), .b = 8});
        small_emit(&small, (struct instruction){.op = OP_CALL, .dst = NO_REGISTER, .a = callee});
        small_emit(&small, (struct instruction){.op = OP_STORE, .width = 8, .a = 2, .b = small_number(&small, 1)});
        small_emit(&small, (struct instruction){.op = OP_LEAVE});
        small_function(&small, callee);
        small_emit(&small, (struct instruction){.op = OP_STACK_RESTORE, .a = small_number(&small, 0)});
        small_finish(&small, &program);
        assert_int_equal(run_program(&program, AWAIT_SPIN, &kind), OUTCOME_COMPLETE);
    }
}

/* A step of a waiting loop whose AWAIT is not there, or in a function that has returned, blocks for ever: the first
 * thread has locked the bus. */
static void marked_steps_without_an_await(void **state) {
    (void)state;
    for (int called = 0; called <= 1; called++) {
        for (int awaits = 0; awaits < AWAIT_COUNT; awaits++) {
            struct small_program small;
            struct program program;
            enum error_kind kind;
            small_init(&small, 2);
            uint32_t callee = builder_function(&small.builder, "callee", 0, 0, 0);
            uint64_t x = small_variable(&small, "x", 40);
            small_thread(&small, 1);
            small_sync(&small, NO_REGISTER, SYNC_BUS_LOCK, 0, 0);
            small_sync(&small, NO_REGISTER, SYNC_SEM_WAIT, x, 0);
            small_thread(&small, 2);
            if (called) {
                small_emit(&small, (struct instruction){.op = OP_CALL, .dst = NO_REGISTER, .a = callee});
            }
            small_emit(&small, (struct instruction){.op = OP_RMW,
                                                    .width = 4,
                                                    .flags = INSTRUCTION_AWAIT,
                                                    .dst = 2,
                                                    .a = small_number(&small, x),
                                                    .b = small_number(&small, 1),
                                                    .c = RMW_OR});
            small_function(&small, callee);
            small_emit(&small, (struct instruction){.op = OP_AWAIT});
            small_load(&small, 0, x, 4);
            small_finish(&small, &program);
            ((struct function *)program.functions)[callee].registers = 1;
            assert_int_not_equal(run_program(&program, (enum await_mode)awaits, &kind), OUTCOME_RUNNING);
        }
    }
}

/* An operation that only fails the iteration of a waiting loop, and whose result is unused. */
static void dropped_result_in_a_waiting_loop(void **state) {
    (void)state;
    for (int awaits = 0; awaits < AWAIT_COUNT; awaits++) {
        struct small_program small;
        struct program program;
        small_init(&small, 1);
        uint64_t x = small_variable(&small, "x", 40);
        small_thread(&small, 1);
        uint32_t await = small_here(&small);
        small_emit(&small, (struct instruction){.op = OP_AWAIT});
        small_emit(&small, (struct instruction){.op = OP_SYNC,
                                                .width = SYNC_SEM_TRYWAIT,
                                                .flags = INSTRUCTION_AWAIT,
                                                .dst = NO_REGISTER,
                                                .a = small_number(&small, x),
                                                .b = small_number(&small, 0),
                                                .c = small_number(&small, 0)});
        small_emit(&small, (struct instruction){.op = OP_BR, .a = 0, .b = await + 4, .c = await + 3});
        small_emit(&small, (struct instruction){.op = OP_AGAIN, .a = await, .b = await + 4});
        small_finish(&small, &program);
        struct machine_options options = {.model = MODEL_TSO, .awaits = (enum await_mode)awaits};
        struct machine *machine = machine_new(&program, &options);
        const struct transition *enabled;
        for (int i = 0; i < 20 && machine_enabled(machine, &enabled) > 0; i++) {
            machine_take(machine, enabled[0]);
        }
        machine_free(machine);
        program_delete(&program);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thread_function_with_most_registers),
        cmocka_unit_test(divisor_is_zero_at_its_width),
        cmocka_unit_test(operands_wider_than_the_access),
        cmocka_unit_test(stack_restore_keeps_the_locals_of_callers),
        cmocka_unit_test(marked_steps_without_an_await),
        cmocka_unit_test(dropped_result_in_a_waiting_loop),
    };
    return cmocka_run_group_tests_name("strange programs", tests, NULL, NULL);
}
