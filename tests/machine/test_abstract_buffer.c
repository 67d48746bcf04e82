/* Abstract store buffers: what is known of old entries, when they reach memory, what waits for them, and what cannot
 * become abstract. */
#include "small_program.h"

static struct machine *abstract_machine(const struct program *program, enum memory_model model,
                                        enum buffer_abstraction abstract, uint32_t exact) {
    struct machine *machine =
        machine_new(program, &(struct machine_options){.model = model, .abstract = abstract, .exact = exact});
    small_start(machine);
    return machine;
}

static const struct buffer_entry *entry(struct machine *machine, size_t index) {
    const struct buffer_entry *entries;
    assert_true(index < machine_buffer(machine, 1, &entries));
    return &entries[index];
}

static bool can_advance(struct machine *machine, size_t index, bool leaves) {
    return machine_is_enabled(
        machine, (struct transition){.thread = 1, .kind = TRANSITION_ABSTRACT, .choice = 2 * index + leaves});
}

static const struct step *advance(struct machine *machine, size_t index, bool leaves) {
    assert_true(can_advance(machine, index, leaves));
    machine_take(machine, (struct transition){.thread = 1, .kind = TRANSITION_ABSTRACT, .choice = 2 * index + leaves});
    return machine_last(machine);
}

static void expect_entry(struct machine *machine, size_t index, uint64_t address, uint64_t value, bool abstract) {
    assert_int_equal(entry(machine, index)->address, address);
    assert_int_equal(entry(machine, index)->value[0], value);
    assert_int_equal(entry(machine, index)->abstract != 0, abstract);
}

/* Thread 1 stores 3, 1, 3 to x, 5 to y and 1 to x, and loads x after that. */
static void many_stores(struct program *program, uint64_t *x, uint64_t *y) {
    struct small_program small;
    small_init(&small, 1);
    *x = small_variable(&small, "x", 4);
    *y = small_variable(&small, "y", 4);
    small_thread(&small, 1);
    small_store(&small, *x, 3, 4, ORDER_PLAIN);
    small_store(&small, *x, 1, 4, ORDER_PLAIN);
    small_store(&small, *x, 3, 4, ORDER_PLAIN);
    small_store(&small, *y, 5, 4, ORDER_PLAIN);
    small_store(&small, *x, 1, 4, ORDER_PLAIN);
    small_load(&small, 2, *x, 4);
    small_fence(&small, ORDER_SEQ_CST);
    small_finish(&small, program);
}

static void values_are_kept_once(void **state) {
    (void)state;
    struct program program;
    uint64_t x;
    uint64_t y;
    many_stores(&program, &x, &y);
    for (int model = MODEL_TSO; model <= MODEL_PSO; model++) {
        struct machine *machine = abstract_machine(&program, (enum memory_model)model, BUFFERS_AS_SETS, 0);
        for (int i = 0; i < 3; i++) {
            take(machine, 1);
        }
        assert_int_equal(buffered(machine, 1), 2);
        expect_entry(machine, 0, x, 1, true);
        expect_entry(machine, 1, x, 3, true);
        take(machine, 1);
        take(machine, 1);
        assert_int_equal(buffered(machine, 1), 3);
        expect_entry(machine, 0, x, 3, true);
        expect_entry(machine, 1, x, 1, true);
        expect_entry(machine, 2, y, 5, true);
        assert_int_equal(take(machine, 1)->read[0], 1);
        assert_true(machine_last(machine)->forwarded);
        machine_free(machine);
    }
    program_delete(&program);
}

static void entries_reach_memory_until_the_newest_leaves(void **state) {
    (void)state;
    struct program program;
    uint64_t x;
    uint64_t y;
    many_stores(&program, &x, &y);
    for (int model = MODEL_TSO; model <= MODEL_PSO; model++) {
        struct machine *machine = abstract_machine(&program, (enum memory_model)model, BUFFERS_AS_SETS, 0);
        for (int i = 0; i < 6; i++) {
            take(machine, 1);
        }
        const struct transition *enabled;
        /* Three entries may reach memory and stay; under TSO 1, the newest, leaves last. */
        assert_int_equal(machine_enabled(machine, &enabled), model == MODEL_TSO ? 4 : 5);
        assert_false(can_step(machine, 1));
        assert_false(can_advance(machine, 0, true));
        assert_int_equal(can_advance(machine, 1, true), model == MODEL_PSO);
        uint64_t hash = machine_hash(machine);
        machine_mark mark = machine_set_mark(machine);
        assert_int_equal(advance(machine, 0, false)->kind, STEP_DRAIN);
        assert_int_equal(memory(machine, x, 4), 3);
        advance(machine, 2, false);
        assert_int_equal(memory(machine, y, 4), 5);
        advance(machine, 1, false);
        assert_int_equal(memory(machine, x, 4), 1);
        advance(machine, 0, false);
        assert_int_equal(memory(machine, x, 4), 3);
        assert_int_equal(buffered(machine, 1), 3);
        advance(machine, 2, true);
        assert_int_equal(buffered(machine, 1), 2);
        assert_false(can_step(machine, 1));
        advance(machine, 1, true);
        assert_int_equal(memory(machine, x, 4), 1);
        assert_int_equal(buffered(machine, 1), 0);
        assert_true(can_step(machine, 1));
        machine_undo(machine, mark);
        assert_int_equal(machine_hash(machine), hash);
        assert_int_equal(buffered(machine, 1), 3);
        assert_int_equal(memory(machine, x, 4), 0);
        machine_free(machine);
    }
    program_delete(&program);
}

static void newest_entries_are_exact(void **state) {
    (void)state;
    struct program program;
    uint64_t x;
    uint64_t y;
    many_stores(&program, &x, &y);
    struct machine *machine = abstract_machine(&program, MODEL_TSO, BUFFERS_AS_SETS, 2);
    for (int i = 0; i < 5; i++) {
        take(machine, 1);
    }
    assert_int_equal(buffered(machine, 1), 4);
    expect_entry(machine, 0, x, 1, true);
    expect_entry(machine, 1, x, 3, true);
    expect_entry(machine, 2, y, 5, false);
    expect_entry(machine, 3, x, 1, false);
    assert_false(can_drain(machine, 1, 1));
    assert_false(can_drain(machine, 1, 2));
    assert_false(can_advance(machine, 2, false));
    advance(machine, 1, true);
    assert_int_equal(buffered(machine, 1), 2);
    take_drain(machine, 1, 0);
    assert_int_equal(memory(machine, y, 4), 5);
    assert_int_equal(memory(machine, x, 4), 3);
    machine_free(machine);
    program_delete(&program);
}

/* Three iterations of a loop that stores 1 to x, 1 to y and 0 to x. */
static void chains_drain_in_order(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    small_init(&small, 1);
    uint64_t x = small_variable(&small, "x", 4);
    uint64_t y = small_variable(&small, "y", 4);
    small_thread(&small, 1);
    uint32_t loop = small_here(&small);
    small_store(&small, x, 1, 4, ORDER_PLAIN);
    small_store(&small, y, 1, 4, ORDER_PLAIN);
    small_store(&small, x, 0, 4, ORDER_PLAIN);
    small_emit(&small, (struct instruction){.op = OP_JMP, .a = loop});
    small_finish(&small, &program);
    struct machine *machine = abstract_machine(&program, MODEL_TSO, BUFFERS_AS_CHAINS, 0);
    for (int i = 0; i < 9; i++) {
        take(machine, 1);
    }
    assert_int_equal(buffered(machine, 1), 3);
    expect_entry(machine, 0, x, 1, true);
    expect_entry(machine, 1, x, 0, true);
    expect_entry(machine, 2, y, 1, true);
    for (int round = 0; round < 3; round++) {
        assert_false(can_advance(machine, 1, false));
        assert_false(can_advance(machine, 2, false));
        assert_false(can_advance(machine, 0, true));
        advance(machine, 0, false);
        assert_false(can_advance(machine, 0, false));
        assert_true(can_advance(machine, 2, true));
        advance(machine, 2, false);
        advance(machine, 1, false);
        assert_int_equal(buffered(machine, 1), 3);
    }
    /* The last 1 of y: what it was before and cannot come again is forgotten. */
    advance(machine, 0, false);
    assert_int_equal(memory(machine, x, 4), 1);
    advance(machine, 2, true);
    assert_int_equal(buffered(machine, 1), 1);
    expect_entry(machine, 0, x, 0, true);
    assert_false(can_advance(machine, 0, false));
    advance(machine, 0, true);
    assert_int_equal(buffered(machine, 1), 0);
    assert_int_equal(memory(machine, x, 4), 0);
    assert_int_equal(memory(machine, y, 4), 1);
    machine_free(machine);
    program_delete(&program);
}

/* Under PSO an exact entry waits for abstract ones of its address, and for all if there is a store barrier between
 * them. */
static void pso_exact_entries_wait_for_some(void **state) {
    (void)state;
    for (int barrier = 0; barrier < 2; barrier++) {
        struct small_program small;
        struct program program;
        small_init(&small, 1);
        uint64_t x = small_variable(&small, "x", 4);
        uint64_t y = small_variable(&small, "y", 4);
        small_thread(&small, 1);
        small_store(&small, x, 2, 4, ORDER_PLAIN);
        small_store_barrier(&small);
        small_store(&small, x, 3, 4, ORDER_PLAIN);
        if (barrier) {
            small_store_barrier(&small);
        }
        small_store(&small, y, 1, 4, ORDER_PLAIN);
        small_store(&small, x, 4, 4, ORDER_PLAIN);
        small_finish(&small, &program);
        struct machine *machine = abstract_machine(&program, MODEL_PSO, BUFFERS_AS_SETS, 2);
        for (int i = 0; i < 4; i++) {
            take(machine, 1);
        }
        assert_int_equal(buffered(machine, 1), 4);
        expect_entry(machine, 1, x, 3, true);
        expect_entry(machine, 2, y, 1, false);
        /* Without the second barrier, 2 may have reached memory for the last time, and only 3 be there yet. */
        assert_int_equal(can_drain(machine, 1, 2), !barrier);
        assert_false(can_drain(machine, 1, 3));
        advance(machine, 1, true);
        assert_true(can_drain(machine, 1, 0));
        assert_true(can_drain(machine, 1, 1));
        machine_free(machine);
        program_delete(&program);
    }
}

static void overlapping_ranges_stay_exact(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    small_init(&small, 1);
    uint64_t x = small_variable(&small, "x", 4);
    uint64_t y = small_variable(&small, "y", 4);
    small_thread(&small, 1);
    small_store(&small, x, 0x01020304, 4, ORDER_PLAIN);
    small_store(&small, x + 1, 9, 1, ORDER_PLAIN);
    small_store(&small, y, 1, 4, ORDER_PLAIN);
    small_load(&small, 2, x + 1, 1);
    small_load(&small, 2, x, 1);
    small_load(&small, 2, x, 4);
    small_finish(&small, &program);
    struct machine *machine = abstract_machine(&program, MODEL_TSO, BUFFERS_AS_SETS, 0);
    for (int i = 0; i < 3; i++) {
        take(machine, 1);
    }
    expect_entry(machine, 0, x, 0x01020304, true);
    expect_entry(machine, 1, x + 1, 9, false);
    expect_entry(machine, 2, y, 1, false);
    assert_int_equal(take(machine, 1)->read[0], 9);
    assert_int_equal(take(machine, 1)->read[0], 4);
    assert_false(can_step(machine, 1));
    advance(machine, 0, true);
    take_drain(machine, 1, 0);
    assert_int_equal(memory(machine, x, 4), 0x01020904);
    assert_int_equal(take(machine, 1)->read[0], 0x01020904);
    machine_free(machine);
    program_delete(&program);
}

static void ends_of_objects_stay_exact(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    small_init(&small, 1);
    uint64_t x = small_variable(&small, "x", 4);
    small_thread(&small, 1);
    small_emit(&small, (struct instruction){
                           .op = OP_MALLOC, .dst = 2, .a = small_number(&small, 16), .b = small_number(&small, 16)});
    small_store(&small, x, 1, 4, ORDER_PLAIN);
    small_emit(&small, (struct instruction){.op = OP_FREE, .a = 2});
    small_store(&small, x, 2, 4, ORDER_PLAIN);
    small_finish(&small, &program);
    struct machine *machine = abstract_machine(&program, MODEL_TSO, BUFFERS_AS_SETS, 0);
    for (int i = 0; i < 3; i++) {
        take(machine, 1);
    }
    assert_int_equal(buffered(machine, 1), 3);
    assert_true(entry(machine, 0)->abstract);
    assert_true(entry(machine, 1)->is_end);
    assert_false(entry(machine, 1)->abstract);
    assert_false(entry(machine, 2)->abstract);
    machine_free(machine);
    program_delete(&program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_kept_once),
        cmocka_unit_test(entries_reach_memory_until_the_newest_leaves),
        cmocka_unit_test(newest_entries_are_exact),
        cmocka_unit_test(chains_drain_in_order),
        cmocka_unit_test(pso_exact_entries_wait_for_some),
        cmocka_unit_test(overlapping_ranges_stay_exact),
        cmocka_unit_test(ends_of_objects_stay_exact),
    };
    return cmocka_run_group_tests_name("abstract_buffer", tests, NULL, NULL);
}
