/* Lifetimes: the end of an object goes through the buffer of the thread that causes it; what is private or constant is
 * no visible step; addresses and thread numbers do not depend on the interleaving. */
#include <string.h>

#include "small_program.h"

static void emit_malloc(struct small_program *small, uint32_t dst, uint64_t size) {
    small_emit(small, (struct instruction){
                          .op = OP_MALLOC, .dst = dst, .a = small_number(small, size), .b = small_number(small, 16)});
}

static uint32_t emit_free(struct small_program *small, uint32_t reg) {
    return small_emit(small, (struct instruction){.op = OP_FREE, .a = reg});
}

static uint32_t emit_store_through(struct small_program *small, uint32_t reg, uint64_t value) {
    return small_emit(small,
                      (struct instruction){.op = OP_STORE, .width = 4, .a = reg, .b = small_number(small, value)});
}

static uint32_t emit_load_through(struct small_program *small, uint32_t reg) {
    return small_emit(small, (struct instruction){.op = OP_LOAD, .width = 4, .dst = 5, .a = reg});
}

/* Main allocates an object and hands its address to all threads, in their register 0. */
static void begin_with_object(struct small_program *small, uint32_t threads) {
    small_init(small, threads);
    small_main(small);
    emit_malloc(small, 2, 16);
    small->arguments = 2;
    small_spawn(small);
}

static void own_free_counts_at_once(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    begin_with_object(&small, 2);
    small_thread(&small, 1);
    emit_free(&small, 0);
    uint32_t line = emit_load_through(&small, 0);
    small_thread(&small, 2);
    emit_load_through(&small, 0);
    emit_load_through(&small, 0);
    small_finish(&small, &program);
    for (int model = MODEL_TSO; model <= MODEL_PSO; model++) {
        struct machine *machine = small_machine(&program, (enum memory_model)model);
        assert_int_equal(take(machine, 1)->kind, STEP_FREE);
        assert_int_equal(buffered(machine, 1), 1);
        take(machine, 2);
        assert_int_equal(error_kind(machine), ERROR_NONE);
        take(machine, 1);
        assert_int_equal(error_kind(machine), ERROR_DANGLING);
        assert_int_equal(error_line(machine), line);
        machine_free(machine);
    }
    program_delete(&program);
}

static void others_see_a_free_when_it_drains(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    begin_with_object(&small, 2);
    small_thread(&small, 1);
    emit_free(&small, 0);
    small_thread(&small, 2);
    emit_load_through(&small, 0);
    uint32_t line = emit_load_through(&small, 0);
    small_finish(&small, &program);
    struct machine *machine = small_machine(&program, MODEL_TSO);
    take(machine, 1);
    take(machine, 2);
    const struct step *drain = take_drain(machine, 1, 0);
    assert_true(drain->ends_object);
    assert_int_equal(drain->other, 16);
    take(machine, 2);
    assert_int_equal(error_kind(machine), ERROR_DANGLING);
    assert_int_equal(error_line(machine), line);
    machine_free(machine);
    machine = small_machine(&program, MODEL_SC);
    take(machine, 1);
    take(machine, 2);
    assert_int_equal(error_kind(machine), ERROR_DANGLING);
    machine_free(machine);
    program_delete(&program);
}

static void free_waits_behind_overlapping_stores(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    begin_with_object(&small, 1);
    uint64_t x = small_variable(&small, "x", 4);
    small_thread(&small, 1);
    emit_store_through(&small, 0, 7);
    emit_free(&small, 0);
    small_store(&small, x, 1, 4, ORDER_PLAIN);
    small_finish(&small, &program);
    struct machine *machine = small_machine(&program, MODEL_PSO);
    take(machine, 1);
    take(machine, 1);
    take(machine, 1);
    assert_true(can_drain(machine, 1, 0));
    assert_false(can_drain(machine, 1, 1));
    assert_true(can_drain(machine, 1, 2));
    take_drain(machine, 1, 0);
    take_drain(machine, 1, 0);
    take_drain(machine, 1, 0);
    assert_int_equal(error_kind(machine), ERROR_NONE);
    machine_free(machine);
    program_delete(&program);
}

static void store_that_drains_into_a_freed_object_dangles(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    begin_with_object(&small, 2);
    small_thread(&small, 1);
    uint32_t line = emit_store_through(&small, 0, 7);
    small_thread(&small, 2);
    emit_free(&small, 0);
    small_finish(&small, &program);
    for (int model = MODEL_TSO; model <= MODEL_PSO; model++) {
        struct machine *machine = small_machine(&program, (enum memory_model)model);
        take(machine, 1);
        take(machine, 2);
        take_drain(machine, 2, 0);
        assert_int_equal(error_kind(machine), ERROR_NONE);
        take_drain(machine, 1, 0);
        assert_int_equal(error_kind(machine), ERROR_DANGLING);
        assert_int_equal(error_line(machine), line);
        assert_int_equal(machine_error(machine)->thread, 1);
        machine_free(machine);
        /* In the other order there is no error. */
        machine = small_machine(&program, (enum memory_model)model);
        take(machine, 1);
        take(machine, 2);
        take_drain(machine, 1, 0);
        take_drain(machine, 2, 0);
        assert_int_equal(error_kind(machine), ERROR_NONE);
        machine_free(machine);
    }
    program_delete(&program);
}

static void two_threads_free_the_same(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    begin_with_object(&small, 2);
    small_thread(&small, 1);
    emit_free(&small, 0);
    small_thread(&small, 2);
    uint32_t line = emit_free(&small, 0);
    small_finish(&small, &program);
    struct machine *machine = small_machine(&program, MODEL_TSO);
    take(machine, 1);
    take(machine, 2);
    take_drain(machine, 1, 0);
    assert_int_equal(error_kind(machine), ERROR_NONE);
    take_drain(machine, 2, 0);
    assert_int_equal(error_kind(machine), ERROR_DOUBLE_FREE);
    assert_int_equal(error_line(machine), line);
    machine_free(machine);
    machine = small_machine(&program, MODEL_SC);
    take(machine, 1);
    take(machine, 2);
    assert_int_equal(error_kind(machine), ERROR_DOUBLE_FREE);
    machine_free(machine);
    program_delete(&program);
}

static void freeing_twice_is_seen_by_the_own_thread_at_once(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    begin_with_object(&small, 1);
    small_thread(&small, 1);
    emit_free(&small, 0);
    uint32_t line = emit_free(&small, 0);
    small_finish(&small, &program);
    struct machine *machine = small_machine(&program, MODEL_TSO);
    take(machine, 1);
    take(machine, 1);
    assert_int_equal(error_kind(machine), ERROR_DOUBLE_FREE);
    assert_int_equal(error_line(machine), line);
    machine_free(machine);
    program_delete(&program);
}

static void bad_frees(void **state) {
    (void)state;
    for (int which = 0; which < 3; which++) {
        struct small_program small;
        struct program program;
        begin_with_object(&small, 1);
        uint64_t x = small_variable(&small, "x", 8);
        small_thread(&small, 1);
        if (which == 0) {
            small_emit(&small,
                       (struct instruction){.op = OP_ADD, .width = 64, .dst = 0, .a = 0, .b = small_number(&small, 8)});
        } else {
            small_emit(&small, (struct instruction){
                                   .op = OP_MOV, .dst = 0, .a = small_number(&small, which == 1 ? x : 0x123456789)});
        }
        emit_free(&small, 0);
        small_finish(&small, &program);
        struct machine *machine = small_machine(&program, MODEL_TSO);
        take(machine, 1);
        assert_int_equal(error_kind(machine), ERROR_BAD_FREE);
        machine_free(machine);
        program_delete(&program);
    }
}

static void bad_accesses(void **state) {
    (void)state;
    static const struct {
        uint64_t offset; /* from x, of 8 bytes */
        uint64_t absolute;
        enum error_kind kind;
    } cases[] = {
        {8, 0, ERROR_BOUNDS},
        {5, 0, ERROR_BOUNDS}, /* the last byte is outside */
        {0, 8, ERROR_NULL_POINTER},
        {0, UINT64_C(0x7fffffffffff), ERROR_WILD},
        {0, FUNCTION_BASE, ERROR_MISUSE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int store = 0; store < 2; store++) {
            struct small_program small;
            struct program program;
            small_init(&small, 1);
            uint64_t x = small_variable(&small, "x", 8);
            uint64_t address = cases[i].absolute ? cases[i].absolute : x + cases[i].offset;
            small_thread(&small, 1);
            uint32_t line = store ? small_store(&small, address, 1, 4, ORDER_PLAIN) : small_load(&small, 2, address, 4);
            small_finish(&small, &program);
            struct machine *machine = small_machine(&program, MODEL_TSO);
            take(machine, 1);
            assert_int_equal(error_kind(machine), cases[i].kind);
            assert_int_equal(error_line(machine), line);
            machine_free(machine);
            program_delete(&program);
        }
    }
}

/* Thread 1 publishes the address of an escaping local and leaves its function; thread 2 reads through it. */
static void escaping_local_ends_through_the_buffer(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    small_init(&small, 2);
    uint32_t callee = builder_function(&small.builder, "callee", 0, 0, 0);
    uint64_t x = small_variable(&small, "x", 8);
    small_thread(&small, 1);
    small_emit(&small, (struct instruction){.op = OP_CALL, .dst = NO_REGISTER, .a = callee});
    small_fence(&small, ORDER_SEQ_CST);
    small_thread(&small, 2);
    small_load(&small, 2, x, 8);
    emit_load_through(&small, 2);
    uint32_t line = emit_load_through(&small, 2);
    small_function(&small, callee);
    small_emit(&small, (struct instruction){.op = OP_ALLOCA, .dst = 3, .a = small_number(&small, 4), .b = 4, .c = 0});
    emit_store_through(&small, 3, 42);
    small_store_register(&small, x, 3, 8);
    small_emit(&small, (struct instruction){.op = OP_LEAVE});
    small_finish(&small, &program);
    struct machine *machine = small_machine(&program, MODEL_TSO);
    take(machine, 1);
    take(machine, 1);
    assert_int_equal(take(machine, 1)->kind, STEP_LEAVE);
    assert_int_equal(buffered(machine, 1), 3);
    take_drain(machine, 1, 0);
    take_drain(machine, 1, 0);
    take(machine, 2);
    assert_int_equal(take(machine, 2)->read[0], 42);
    take_drain(machine, 1, 0);
    take(machine, 2);
    assert_int_equal(error_kind(machine), ERROR_DANGLING);
    assert_int_equal(error_line(machine), line);
    machine_free(machine);
    program_delete(&program);
}

static void private_memory_is_no_step(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    small_init(&small, 1);
    uint64_t x = small_variable(&small, "x", 4);
    small_thread(&small, 1);
    small_emit(&small,
               (struct instruction){
                   .op = OP_ALLOCA, .flags = INSTRUCTION_PRIVATE, .dst = 3, .a = small_number(&small, 16), .b = 8});
    emit_store_through(&small, 3, 5);
    small_emit(&small, (struct instruction){.op = OP_RMW,
                                            .width = 4,
                                            .flags = INSTRUCTION_ATOMIC,
                                            .dst = 4,
                                            .a = 3,
                                            .b = small_number(&small, 2),
                                            .c = RMW_ADD});
    emit_load_through(&small, 3);
    small_store_register(&small, x, 5, 4);
    small_emit(&small, (struct instruction){.op = OP_LEAVE});
    small_finish(&small, &program);
    for (int model = 0; model < MODEL_COUNT; model++) {
        struct machine *machine = small_machine(&program, (enum memory_model)model);
        /* The first visible step is the store to x. */
        const struct step *step = take(machine, 1);
        assert_int_equal(step->kind, STEP_STORE);
        assert_int_equal(step->address, x);
        assert_int_equal(step->written[0], 7);
        assert_int_equal(buffered(machine, 1), model == MODEL_SC ? 0 : 1);
        machine_free(machine);
    }
    program_delete(&program);
}

static void private_locals_have_bounds_too(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    small_init(&small, 1);
    small_thread(&small, 1);
    small_fence(&small, ORDER_SEQ_CST);
    small_emit(&small,
               (struct instruction){
                   .op = OP_ALLOCA, .flags = INSTRUCTION_PRIVATE, .dst = 3, .a = small_number(&small, 16), .b = 8});
    small_emit(&small,
               (struct instruction){.op = OP_ADD, .width = 64, .dst = 3, .a = 3, .b = small_number(&small, 14)});
    uint32_t line = emit_store_through(&small, 3, 5);
    small_finish(&small, &program);
    struct machine *machine = small_machine(&program, MODEL_TSO);
    take(machine, 1);
    assert_int_equal(error_kind(machine), ERROR_BOUNDS);
    assert_int_equal(error_line(machine), line);
    machine_free(machine);
    program_delete(&program);
}

static void constants_are_read_without_a_step_and_never_written(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    small_init(&small, 1);
    uint64_t k = small_constant_variable(&small, "k", "\x2a\0\0\0", 4);
    uint64_t x = small_variable(&small, "x", 4);
    small_thread(&small, 1);
    small_load(&small, 2, k, 4);
    small_store_register(&small, x, 2, 4);
    uint32_t line = small_store(&small, k, 1, 4, ORDER_PLAIN);
    small_finish(&small, &program);
    struct machine *machine = small_machine(&program, MODEL_TSO);
    const struct step *step = take(machine, 1);
    assert_int_equal(step->kind, STEP_STORE);
    assert_int_equal(step->written[0], 42);
    take(machine, 1);
    assert_int_equal(error_kind(machine), ERROR_READ_ONLY);
    assert_int_equal(error_line(machine), line);
    machine_free(machine);
    program_delete(&program);
}

/* Two threads that each create a child and allocate twice. */
static void build_creators(struct program *program, uint64_t result[2]) {
    struct small_program small;
    small_init(&small, 2);
    uint32_t child = builder_function(&small.builder, "child", 2, 0, 0);
    result[0] = small_variable(&small, "first", 32);
    result[1] = small_variable(&small, "second", 32);
    for (uint32_t t = 1; t <= 2; t++) {
        small_thread(&small, t);
        small_store(&small, result[t - 1] + 24, t, 4, ORDER_PLAIN);
        emit_malloc(&small, 3, 100);
        small_store_register(&small, result[t - 1], 3, 8);
        emit_malloc(&small, 4, 1);
        small_store_register(&small, result[t - 1] + 8, 4, 8);
        small_sync(&small, 5, SYNC_THREAD_CREATE, function_address(child), 0);
        small_store_register(&small, result[t - 1] + 16, 5, 8);
    }
    small_function(&small, child);
    small_finish(&small, program);
}

static void addresses_and_numbers_do_not_depend_on_the_interleaving(void **state) {
    (void)state;
    struct program program;
    uint64_t result[2];
    build_creators(&program, result);
    uint64_t expected[8];
    for (int schedule = 0; schedule < 64; schedule++) {
        struct machine *machine = small_machine(&program, MODEL_SC);
        const struct transition *enabled;
        size_t count;
        uint32_t bits = (uint32_t)schedule * 0x9e3779b9u;
        while ((count = machine_enabled(machine, &enabled)) > 0) {
            machine_take(machine, enabled[(bits >> 28) % count]);
            bits = bits * 1664525u + 1013904223u;
        }
        assert_int_equal(machine_outcome(machine), OUTCOME_COMPLETE);
        uint64_t found[8];
        for (int i = 0; i < 8; i++) {
            found[i] = memory(machine, result[i / 4] + 8 * (unsigned)(i % 4), 8);
        }
        if (schedule == 0) {
            memcpy(expected, found, sizeof expected);
            /* All different, and far enough from each other. */
            assert_true(found[1] >= found[0] + 100 + PAGE_SIZE);
            assert_int_not_equal(found[0] >> REGION_SHIFT, found[4] >> REGION_SHIFT);
            assert_int_not_equal(found[2], found[6]);
        }
        assert_memory_equal(found, expected, sizeof expected);
        machine_free(machine);
    }
    program_delete(&program);
}

static void leaks_are_found_on_request(void **state) {
    (void)state;
    for (int freed = 0; freed < 2; freed++) {
        struct small_program small;
        struct program program;
        begin_with_object(&small, 1);
        small_thread(&small, 1);
        if (freed) {
            emit_free(&small, 0);
        }
        small_finish(&small, &program);
        struct machine *machine =
            machine_new(&program, &(struct machine_options){.model = MODEL_SC, .checks = CHECK_FOR_LEAKS});
        const struct transition *enabled;
        while (machine_enabled(machine, &enabled) > 0) {
            machine_take(machine, enabled[0]);
        }
        assert_int_equal(error_kind(machine), freed ? ERROR_NONE : ERROR_LEAK);
        machine_free(machine);
        program_delete(&program);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_free_counts_at_once),
        cmocka_unit_test(others_see_a_free_when_it_drains),
        cmocka_unit_test(free_waits_behind_overlapping_stores),
        cmocka_unit_test(store_that_drains_into_a_freed_object_dangles),
        cmocka_unit_test(two_threads_free_the_same),
        cmocka_unit_test(freeing_twice_is_seen_by_the_own_thread_at_once),
        cmocka_unit_test(bad_frees),
        cmocka_unit_test(bad_accesses),
        cmocka_unit_test(escaping_local_ends_through_the_buffer),
        cmocka_unit_test(private_memory_is_no_step),
        cmocka_unit_test(private_locals_have_bounds_too),
        cmocka_unit_test(constants_are_read_without_a_step_and_never_written),
        cmocka_unit_test(addresses_and_numbers_do_not_depend_on_the_interleaving),
        cmocka_unit_test(leaks_are_found_on_request),
    };
    return cmocka_run_group_tests_name("lifetimes", tests, NULL, NULL);
}
