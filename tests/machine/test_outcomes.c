/* How executions end, what holds them up, and how large their states are. */
#include <stdlib.h>

#include "small_program.h"

static void run_first(struct machine *machine) {
    const struct transition *enabled;
    while (machine_enabled(machine, &enabled) > 0) {
        machine_take(machine, enabled[0]);
    }
}

static void two_locks_in_two_orders_deadlock(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    small_init(&small, 2);
    uint64_t a = small_variable(&small, "a", 40);
    uint64_t b = small_variable(&small, "b", 40);
    small_thread(&small, 1);
    small_sync(&small, NO_REGISTER, SYNC_MUTEX_LOCK, a, 0);
    small_sync(&small, NO_REGISTER, SYNC_MUTEX_LOCK, b, 0);
    small_thread(&small, 2);
    small_sync(&small, NO_REGISTER, SYNC_MUTEX_LOCK, b, 0);
    small_sync(&small, NO_REGISTER, SYNC_MUTEX_LOCK, a, 0);
    small_finish(&small, &program);
    struct machine *machine = small_machine(&program, MODEL_TSO);
    take(machine, 1);
    assert_int_equal(machine_outcome(machine), OUTCOME_RUNNING);
    take(machine, 2);
    assert_int_equal(machine_outcome(machine), OUTCOME_ERROR);
    assert_int_equal(error_kind(machine), ERROR_DEADLOCK);
    machine_free(machine);
    program_delete(&program);
}

static void no_deadlock_while_a_buffer_can_drain(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    small_init(&small, 1);
    uint64_t semaphore = small_variable(&small, "semaphore", 4);
    small_thread(&small, 1);
    small_store(&small, semaphore, 1, 4, ORDER_PLAIN);
    small_sync(&small, NO_REGISTER, SYNC_SEM_WAIT, semaphore, 0);
    small_finish(&small, &program);
    struct machine *machine = small_machine(&program, MODEL_TSO);
    take(machine, 1);
    assert_false(can_step(machine, 1));
    assert_int_equal(machine_outcome(machine), OUTCOME_RUNNING);
    take_drain(machine, 1, 0);
    take(machine, 1);
    take(machine, 1);
    assert_int_equal(machine_outcome(machine), OUTCOME_COMPLETE);
    machine_free(machine);
    program_delete(&program);
}

static void exit_ends_the_process(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    small_init(&small, 2);
    uint64_t x = small_variable(&small, "x", 4);
    small_thread(&small, 1);
    small_emit(&small, (struct instruction){.op = OP_EXIT, .a = small_number(&small, 3)});
    small_thread(&small, 2);
    small_load(&small, 2, x, 4);
    small_finish(&small, &program);
    struct machine *machine = small_machine(&program, MODEL_TSO);
    assert_int_equal(take(machine, 1)->kind, STEP_EXIT);
    assert_int_equal(machine_outcome(machine), OUTCOME_COMPLETE);
    assert_int_equal(machine_exit_code(machine), 3);
    assert_false(can_step(machine, 2));
    machine_free(machine);
    program_delete(&program);
}

static void assume_and_cut_are_told_apart(void **state) {
    (void)state;
    for (int cut = 0; cut < 2; cut++) {
        struct small_program small;
        struct program program;
        small_init(&small, 1);
        uint64_t x = small_variable(&small, "x", 4);
        small_thread(&small, 1);
        small_load(&small, 2, x, 4);
        small_emit(&small, cut ? (struct instruction){.op = OP_CUT} : (struct instruction){.op = OP_ASSUME, .a = 2});
        small_finish(&small, &program);
        struct machine *machine = small_machine(&program, MODEL_TSO);
        take(machine, 1);
        assert_int_equal(machine_outcome(machine), OUTCOME_RUNNING); /* others may do something first */
        take(machine, 1);
        assert_int_equal(machine_outcome(machine), cut ? OUTCOME_CUT : OUTCOME_ASSUME);
        machine_free(machine);
        program_delete(&program);
    }
}

static void assumption_that_holds_goes_on(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    small_init(&small, 1);
    small_thread(&small, 1);
    small_emit(&small, (struct instruction){.op = OP_ASSUME, .a = small_number(&small, 1)});
    small_finish(&small, &program);
    struct machine *machine = small_machine(&program, MODEL_TSO);
    run_first(machine);
    assert_int_equal(machine_outcome(machine), OUTCOME_COMPLETE);
    machine_free(machine);
    program_delete(&program);
}

static void local_errors_have_kind_and_line(void **state) {
    (void)state;
    for (int which = 0; which < 5; which++) {
        static const enum error_kind expected[] = {ERROR_ASSERT, ERROR_REACH, ERROR_DIVISION, ERROR_DIVISION,
                                                   ERROR_NULL_POINTER};
        struct small_program small;
        struct program program;
        small_init(&small, 1);
        small_thread(&small, 1);
        small_fence(&small, ORDER_SEQ_CST);
        uint32_t text = builder_string(&small.builder, "said so");
        uint32_t zero = small_number(&small, 0);
        struct instruction instructions[] = {
            {.op = OP_ASSERT, .a = zero, .b = text},
            {.op = OP_ERROR, .sub = ERROR_REACH, .a = text},
            {.op = OP_UDIV, .width = 32, .dst = 2, .a = small_number(&small, 1), .b = zero},
            {.op = OP_SDIV,
             .width = 32,
             .dst = 2,
             .a = small_number(&small, 0x80000000),
             .b = small_number(&small, 0xffffffff)},
            {.op = OP_CALL_INDIRECT, .dst = NO_REGISTER, .a = zero, .b = 0, .c = 0},
        };
        uint32_t line = small_emit(&small, instructions[which]);
        small_finish(&small, &program);
        struct machine *machine = small_machine(&program, MODEL_TSO);
        take(machine, 1);
        assert_int_equal(error_kind(machine), expected[which]);
        assert_int_equal(error_line(machine), line);
        assert_int_equal(machine_error(machine)->thread, 1);
        machine_free(machine);
        program_delete(&program);
    }
}

static void endless_recursion_overflows_the_stack(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    small_init(&small, 1);
    small_thread(&small, 1);
    small_fence(&small, ORDER_SEQ_CST);
    small_emit(&small, (struct instruction){.op = OP_CALL, .dst = NO_REGISTER, .a = 1});
    small_finish(&small, &program);
    struct machine *machine = small_machine(&program, MODEL_TSO);
    /* Each call stops at its fence. */
    while (machine_outcome(machine) == OUTCOME_RUNNING) {
        take(machine, 1);
    }
    assert_int_equal(error_kind(machine), ERROR_STACK);
    machine_free(machine);
    program_delete(&program);
}

static void endless_local_loop_runs_away(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    small_init(&small, 1);
    small_thread(&small, 1);
    small_fence(&small, ORDER_SEQ_CST);
    small_emit(&small, (struct instruction){.op = OP_JMP, .a = 1});
    small_finish(&small, &program);
    struct machine *machine =
        machine_new(&program, &(struct machine_options){.model = MODEL_TSO, .local_limit = 100000});
    small_start(machine);
    take(machine, 1);
    assert_int_equal(machine_outcome(machine), OUTCOME_RUNAWAY);
    machine_free(machine);
    program_delete(&program);
}

static void nondeterministic_values_are_choices(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    small_init(&small, 1);
    small_thread(&small, 1);
    small_emit(&small, (struct instruction){.op = OP_NONDET,
                                            .width = 8,
                                            .flags = INSTRUCTION_SIGNED,
                                            .dst = 2,
                                            .a = small_number(&small, 0xfe),
                                            .b = small_number(&small, 1)});
    small_emit(&small,
               (struct instruction){
                   .op = OP_NONDET, .width = 8, .dst = 2, .a = small_number(&small, 3), .b = small_number(&small, 2)});
    small_finish(&small, &program);
    struct machine *machine = small_machine(&program, MODEL_TSO);
    static const uint64_t values[] = {0xfe, 0xff, 0, 1};
    assert_int_equal(machine_choices(machine, 1), 4);
    machine_mark mark = machine_set_mark(machine);
    for (uint64_t choice = 0; choice < 4; choice++) {
        assert_int_equal(take_choice(machine, 1, choice)->result, values[choice]);
        machine_undo(machine, mark);
    }
    /* An empty domain drops the execution. */
    take(machine, 1);
    take(machine, 1);
    assert_int_equal(machine_outcome(machine), OUTCOME_ASSUME);
    machine_free(machine);
    program_delete(&program);
}

static void failing_malloc_is_a_choice_on_request(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    small_init(&small, 1);
    uint64_t x = small_variable(&small, "x", 8);
    small_thread(&small, 1);
    small_emit(&small, (struct instruction){
                           .op = OP_MALLOC, .dst = 2, .a = small_number(&small, 8), .b = small_number(&small, 16)});
    small_store_register(&small, x, 2, 8);
    small_finish(&small, &program);
    struct machine *machine = machine_new(&program, &(struct machine_options){.malloc_fail = true});
    small_start(machine);
    assert_int_equal(machine_choices(machine, 1), 2);
    machine_mark mark = machine_set_mark(machine);
    assert_int_equal(take_choice(machine, 1, 0)->kind, STEP_MALLOC);
    assert_int_not_equal(take(machine, 1)->written[0], 0);
    machine_undo(machine, mark);
    take_choice(machine, 1, 1);
    assert_int_equal(take(machine, 1)->written[0], 0);
    machine_free(machine);
    program_delete(&program);
}

/* --- Atomic sections ---------------------------------------------------------------------------------------------- */

static void nobody_steps_or_drains_beside_an_atomic_section(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    small_init(&small, 2);
    uint64_t x = small_variable(&small, "x", 4);
    small_thread(&small, 1);
    small_emit(&small, (struct instruction){.op = OP_ATOMIC_BEGIN});
    small_store(&small, x, 1, 4, ORDER_PLAIN);
    small_emit(&small, (struct instruction){.op = OP_ATOMIC_END});
    small_thread(&small, 2);
    small_store(&small, x, 2, 4, ORDER_PLAIN);
    small_load(&small, 2, x, 4);
    small_finish(&small, &program);
    struct machine *machine = small_machine(&program, MODEL_TSO);
    take(machine, 2);
    assert_int_equal(take(machine, 1)->kind, STEP_ATOMIC_BEGIN);
    assert_false(can_step(machine, 2));
    assert_false(can_drain(machine, 2, 0));
    take(machine, 1);
    /* The end waits for the own buffer, which may drain inside. */
    assert_false(can_step(machine, 1));
    assert_false(can_step(machine, 2));
    take_drain(machine, 1, 0);
    assert_false(can_drain(machine, 2, 0));
    assert_int_equal(take(machine, 1)->kind, STEP_ATOMIC_END);
    assert_true(can_step(machine, 2));
    assert_true(can_drain(machine, 2, 0));
    machine_free(machine);
    program_delete(&program);
}

static void atomic_sections_nest(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    small_init(&small, 2);
    uint64_t x = small_variable(&small, "x", 4);
    small_thread(&small, 1);
    small_emit(&small, (struct instruction){.op = OP_ATOMIC_BEGIN});
    small_emit(&small, (struct instruction){.op = OP_ATOMIC_BEGIN});
    small_emit(&small, (struct instruction){.op = OP_ATOMIC_END});
    small_emit(&small, (struct instruction){.op = OP_ATOMIC_END});
    small_thread(&small, 2);
    small_load(&small, 2, x, 4);
    small_finish(&small, &program);
    struct machine *machine = small_machine(&program, MODEL_TSO);
    for (int i = 0; i < 3; i++) {
        take(machine, 1);
        assert_false(can_step(machine, 2));
    }
    take(machine, 1);
    assert_true(can_step(machine, 2));
    machine_free(machine);
    program_delete(&program);
}

static void waiting_inside_an_atomic_section_is_an_error(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    small_init(&small, 2);
    uint64_t semaphore = small_variable(&small, "semaphore", 4);
    small_thread(&small, 1);
    small_emit(&small, (struct instruction){.op = OP_ATOMIC_BEGIN});
    uint32_t line = small_sync(&small, NO_REGISTER, SYNC_SEM_WAIT, semaphore, 0);
    small_emit(&small, (struct instruction){.op = OP_ATOMIC_END});
    small_thread(&small, 2);
    small_sync(&small, NO_REGISTER, SYNC_SEM_POST, semaphore, 0);
    small_finish(&small, &program);
    struct machine *machine = small_machine(&program, MODEL_TSO);
    take(machine, 1);
    assert_int_equal(machine_outcome(machine), OUTCOME_ERROR);
    assert_int_equal(error_kind(machine), ERROR_ATOMIC_BLOCKED);
    assert_int_equal(error_line(machine), line);
    machine_free(machine);
    program_delete(&program);
}

/* --- Awaits ------------------------------------------------------------------------------------------------------- */

/* while (!x) ; */
static void emit_await(struct small_program *small, uint64_t x) {
    uint32_t start = small_here(small);
    small_emit(small, (struct instruction){.op = OP_AWAIT});
    small_emit(small,
               (struct instruction){
                   .op = OP_LOAD, .width = 4, .flags = INSTRUCTION_AWAIT, .dst = 2, .a = small_number(small, x)});
    small_emit(small, (struct instruction){.op = OP_BR, .a = 2, .b = start + 4, .c = start + 3});
    small_emit(small, (struct instruction){.op = OP_AGAIN, .a = start, .b = start});
}

static void build_await(struct program *program, uint64_t *x, bool ever) {
    struct small_program small;
    small_init(&small, 2);
    *x = small_variable(&small, "x", 4);
    uint64_t y = small_variable(&small, "y", 4);
    small_thread(&small, 1);
    emit_await(&small, *x);
    small_assert_equal(&small, 2, 1, 3);
    small_thread(&small, 2);
    small_store(&small, y, 1, 4, ORDER_PLAIN);
    if (ever) {
        small_store(&small, *x, 1, 4, ORDER_PLAIN);
    }
    small_finish(&small, program);
}

static struct machine *await_machine(const struct program *program, enum memory_model model, enum await_mode awaits) {
    struct machine *machine = machine_new(program, &(struct machine_options){.model = model, .awaits = awaits});
    small_start(machine);
    return machine;
}

static void spinning_await_waits_until_memory_changes(void **state) {
    (void)state;
    struct program program;
    uint64_t x;
    build_await(&program, &x, true);
    struct machine *machine = await_machine(&program, MODEL_TSO, AWAIT_SPIN);
    assert_true(machine_thread_awaits(machine, 1));
    assert_int_equal(take(machine, 1)->read[0], 0);
    assert_false(can_step(machine, 1));
    take(machine, 2);
    assert_false(can_step(machine, 1)); /* a store in a buffer changes no memory */
    take_drain(machine, 2, 0);
    /* Memory has changed, but not x: the present iteration fails, and so does one that begins after the change. */
    assert_int_equal(take(machine, 1)->read[0], 0);
    assert_int_equal(take(machine, 1)->read[0], 0);
    assert_false(can_step(machine, 1));
    take(machine, 2);
    take_drain(machine, 2, 0);
    assert_int_equal(take(machine, 1)->read[0], 1);
    assert_false(machine_thread_awaits(machine, 1));
    run_first(machine);
    assert_int_equal(machine_outcome(machine), OUTCOME_COMPLETE);
    machine_free(machine);
    program_delete(&program);
}

static void blocking_await_reads_only_what_ends_it(void **state) {
    (void)state;
    struct program program;
    uint64_t x;
    build_await(&program, &x, true);
    struct machine *machine = await_machine(&program, MODEL_TSO, AWAIT_BLOCK);
    assert_false(can_step(machine, 1));
    take(machine, 2);
    take_drain(machine, 2, 0);
    assert_false(can_step(machine, 1));
    take(machine, 2);
    assert_false(can_step(machine, 1));
    take_drain(machine, 2, 0);
    assert_int_equal(take(machine, 1)->read[0], 1);
    run_first(machine);
    assert_int_equal(machine_outcome(machine), OUTCOME_COMPLETE);
    machine_free(machine);
    program_delete(&program);
}

static void await_that_nobody_ends_is_blocked(void **state) {
    (void)state;
    struct program program;
    uint64_t x;
    build_await(&program, &x, false);
    for (int model = 0; model < MODEL_COUNT; model++) {
        for (int awaits = AWAIT_SPIN; awaits <= AWAIT_BLOCK; awaits++) {
            struct machine *machine = await_machine(&program, (enum memory_model)model, (enum await_mode)awaits);
            run_first(machine);
            assert_int_equal(machine_outcome(machine), OUTCOME_BLOCKED);
            assert_int_equal(error_kind(machine), ERROR_NONE);
            machine_free(machine);
        }
    }
    program_delete(&program);
}

/* --- States ------------------------------------------------------------------------------------------------------- */

/* Peterson's algorithm, one iteration for each thread. */
static void build_peterson(struct program *program) {
    struct small_program small;
    small_init(&small, 2);
    uint64_t wants = small_variable(&small, "wants", 8);
    uint64_t turn = small_variable(&small, "turn", 4);
    uint64_t inside = small_variable(&small, "inside", 4);
    for (uint32_t t = 1; t <= 2; t++) {
        uint64_t mine = wants + 4 * (t - 1);
        uint64_t others = wants + 4 * (2 - t);
        small_thread(&small, t);
        small_store(&small, mine, 1, 4, ORDER_PLAIN);
        small_store(&small, turn, 2 - t, 4, ORDER_PLAIN);
        uint32_t start = small_here(&small);
        small_load(&small, 2, others, 4);
        small_emit(&small, (struct instruction){.op = OP_BR, .a = 2, .b = start + 2, .c = start + 5});
        small_load(&small, 2, turn, 4);
        small_emit(
            &small,
            (struct instruction){
                .op = OP_ICMP, .width = 32, .sub = PREDICATE_EQ, .dst = 3, .a = 2, .b = small_number(&small, 2 - t)});
        small_emit(&small, (struct instruction){.op = OP_BR, .a = 3, .b = start, .c = start + 5});
        small_store(&small, inside, t, 4, ORDER_PLAIN);
        small_load(&small, 2, inside, 4);
        small_store(&small, mine, 0, 4, ORDER_PLAIN);
    }
    small_finish(&small, program);
}

static void states_of_peterson_are_small(void **state) {
    (void)state;
    struct program program;
    build_peterson(&program);
    for (int model = 0; model < MODEL_COUNT; model++) {
        size_t largest = 0;
        for (uint32_t seed = 1; seed <= 50; seed++) {
            struct machine *machine = small_machine(&program, (enum memory_model)model);
            uint8_t *buffer = NULL;
            size_t capacity = 0;
            const struct transition *enabled;
            size_t count;
            uint32_t random = seed;
            while ((count = machine_enabled(machine, &enabled)) > 0) {
                random = random * 1664525u + 1013904223u;
                machine_take(machine, enabled[(random >> 8) % count]);
                size_t size = machine_serialise(machine, &buffer, &capacity);
                largest = size > largest ? size : largest;
            }
            free(buffer);
            machine_free(machine);
        }
        assert_true(largest > 0 && largest <= 256);
    }
    program_delete(&program);
}

static void dead_registers_do_not_count(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    small_init(&small, 2);
    uint64_t x = small_variable(&small, "x", 4);
    small_thread(&small, 1);
    small_load(&small, 2, x, 4); /* never read */
    small_store(&small, x, 1, 4, ORDER_PLAIN);
    small_thread(&small, 2);
    small_store(&small, x, 7, 4, ORDER_PLAIN);
    small_finish(&small, &program);
    uint64_t hashes[2];
    for (int order = 0; order < 2; order++) {
        struct machine *machine = small_machine(&program, MODEL_SC);
        take(machine, order ? 1 : 2);
        take(machine, order ? 2 : 1);
        hashes[order] = machine_hash(machine);
        machine_free(machine);
    }
    assert_int_equal(hashes[0], hashes[1]);
    program_delete(&program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_locks_in_two_orders_deadlock),
        cmocka_unit_test(no_deadlock_while_a_buffer_can_drain),
        cmocka_unit_test(exit_ends_the_process),
        cmocka_unit_test(assume_and_cut_are_told_apart),
        cmocka_unit_test(assumption_that_holds_goes_on),
        cmocka_unit_test(local_errors_have_kind_and_line),
        cmocka_unit_test(endless_recursion_overflows_the_stack),
        cmocka_unit_test(endless_local_loop_runs_away),
        cmocka_unit_test(nondeterministic_values_are_choices),
        cmocka_unit_test(failing_malloc_is_a_choice_on_request),
        cmocka_unit_test(nobody_steps_or_drains_beside_an_atomic_section),
        cmocka_unit_test(atomic_sections_nest),
        cmocka_unit_test(waiting_inside_an_atomic_section_is_an_error),
        cmocka_unit_test(spinning_await_waits_until_memory_changes),
        cmocka_unit_test(blocking_await_reads_only_what_ends_it),
        cmocka_unit_test(await_that_nobody_ends_is_blocked),
        cmocka_unit_test(states_of_peterson_are_small),
        cmocka_unit_test(dead_registers_do_not_count),
    };
    return cmocka_run_group_tests_name("outcomes", tests, NULL, NULL);
}
