/* Store buffers: forwarding, partial overlap, draining order, store barriers, and who waits for the empty buffer. */
#include "small_program.h"

/* One thread that stores 0x44332211 to x and loads `size` bytes at `offset`. */
static void load_behind_store(struct program *program, uint64_t *x, unsigned offset, unsigned size) {
    struct small_program small;
    small_init(&small, 1);
    *x = small_variable(&small, "x", 16);
    small_thread(&small, 1);
    small_store(&small, *x + 4, 0x44332211, 4, ORDER_PLAIN);
    small_load(&small, 2, *x + offset, size);
    small_finish(&small, program);
}

static void sc_stores_take_effect_at_once(void **state) {
    (void)state;
    struct program program;
    uint64_t x;
    load_behind_store(&program, &x, 4, 4);
    struct machine *machine = small_machine(&program, MODEL_SC);
    take(machine, 1);
    assert_int_equal(buffered(machine, 1), 0);
    assert_int_equal(memory(machine, x + 4, 4), 0x44332211);
    assert_int_equal(take(machine, 1)->read[0], 0x44332211);
    assert_false(machine_last(machine)->forwarded);
    machine_free(machine);
    program_delete(&program);
}

static void exact_store_is_forwarded(void **state) {
    (void)state;
    struct program program;
    uint64_t x;
    load_behind_store(&program, &x, 4, 4);
    for (int model = MODEL_TSO; model <= MODEL_PSO; model++) {
        struct machine *machine = small_machine(&program, (enum memory_model)model);
        uint64_t serial = take(machine, 1)->serial;
        assert_int_equal(buffered(machine, 1), 1);
        assert_int_equal(memory(machine, x + 4, 4), 0);
        const struct step *load = take(machine, 1);
        assert_int_equal(load->read[0], 0x44332211);
        assert_true(load->forwarded);
        assert_int_equal(load->serial, serial);
        machine_free(machine);
    }
    program_delete(&program);
}

static void contained_load_is_forwarded(void **state) {
    (void)state;
    static const struct {
        unsigned offset, size;
        uint64_t value;
    } cases[] = {{4, 1, 0x11}, {5, 1, 0x22}, {7, 1, 0x44}, {4, 2, 0x2211}, {5, 2, 0x3322}, {6, 2, 0x4433}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct program program;
        uint64_t x;
        load_behind_store(&program, &x, cases[i].offset, cases[i].size);
        struct machine *machine = small_machine(&program, MODEL_TSO);
        take(machine, 1);
        assert_int_equal(take(machine, 1)->read[0], cases[i].value);
        assert_true(machine_last(machine)->forwarded);
        assert_int_equal(buffered(machine, 1), 1);
        machine_free(machine);
        program_delete(&program);
    }
}

static void loads_beside_a_store_read_memory(void **state) {
    (void)state;
    static const struct {
        unsigned offset, size;
    } cases[] = {{0, 4}, {3, 1}, {8, 1}, {8, 8}, {2, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct program program;
        uint64_t x;
        load_behind_store(&program, &x, cases[i].offset, cases[i].size);
        struct machine *machine = small_machine(&program, MODEL_TSO);
        take(machine, 1);
        assert_int_equal(take(machine, 1)->read[0], 0);
        assert_false(machine_last(machine)->forwarded);
        machine_free(machine);
        program_delete(&program);
    }
}

static void partly_covered_load_waits(void **state) {
    (void)state;
    static const struct {
        unsigned offset, size;
        uint64_t value;
    } cases[] = {{0, 8, 0x4433221100000000}, {4, 8, 0x44332211}, {2, 4, 0x22110000}, {7, 2, 0x44}, {3, 2, 0x1100}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct program program;
        uint64_t x;
        load_behind_store(&program, &x, cases[i].offset, cases[i].size);
        for (int model = MODEL_TSO; model <= MODEL_PSO; model++) {
            struct machine *machine = small_machine(&program, (enum memory_model)model);
            take(machine, 1);
            assert_false(can_step(machine, 1));
            take_drain(machine, 1, 0);
            assert_int_equal(take(machine, 1)->read[0], cases[i].value);
            assert_false(machine_last(machine)->forwarded);
            machine_free(machine);
        }
        program_delete(&program);
    }
}

static void newest_overlapping_store_decides(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    small_init(&small, 1);
    uint64_t x = small_variable(&small, "x", 8);
    small_thread(&small, 1);
    small_store(&small, x, 0x1111, 4, ORDER_PLAIN);
    small_store(&small, x, 0x2222, 4, ORDER_PLAIN);
    small_load(&small, 2, x, 4); /* the newer of two that cover it */
    small_store(&small, x + 1, 0x33, 1, ORDER_PLAIN);
    small_load(&small, 2, x, 1); /* the byte store does not overlap it */
    small_load(&small, 2, x, 4); /* an older one covers it, but the newest overlapping one does not */
    small_finish(&small, &program);
    for (int model = MODEL_TSO; model <= MODEL_PSO; model++) {
        struct machine *machine = small_machine(&program, (enum memory_model)model);
        take(machine, 1);
        take(machine, 1);
        assert_int_equal(take(machine, 1)->read[0], 0x2222);
        take(machine, 1);
        assert_int_equal(take(machine, 1)->read[0], 0x22);
        assert_int_equal(buffered(machine, 1), 3);
        assert_false(can_step(machine, 1));
        take_drain(machine, 1, 0);
        take_drain(machine, 1, 0);
        assert_false(can_step(machine, 1));
        take_drain(machine, 1, 0);
        assert_int_equal(take(machine, 1)->read[0], 0x3322);
        machine_free(machine);
    }
    program_delete(&program);
}

static void others_do_not_see_a_buffer(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    small_init(&small, 2);
    uint64_t x = small_variable(&small, "x", 4);
    small_thread(&small, 1);
    small_store(&small, x, 1, 4, ORDER_PLAIN);
    small_thread(&small, 2);
    small_load(&small, 2, x, 4);
    small_load(&small, 2, x, 4);
    small_finish(&small, &program);
    struct machine *machine = small_machine(&program, MODEL_TSO);
    take(machine, 1);
    assert_int_equal(take(machine, 2)->read[0], 0);
    take_drain(machine, 1, 0);
    assert_int_equal(take(machine, 2)->read[0], 1);
    machine_free(machine);
    program_delete(&program);
}

/* Four stores: x, y, the upper half of x, z. */
static void four_stores(struct program *program, uint64_t address[3]) {
    struct small_program small;
    small_init(&small, 1);
    address[0] = small_variable(&small, "x", 8);
    address[1] = small_variable(&small, "y", 8);
    address[2] = small_variable(&small, "z", 8);
    small_thread(&small, 1);
    small_store(&small, address[0], 0x0101010101010101, 8, ORDER_PLAIN);
    small_store(&small, address[1], 2, 4, ORDER_RELAXED);
    small_store(&small, address[0] + 4, 3, 4, ORDER_PLAIN);
    small_store(&small, address[2], 4, 4, ORDER_PLAIN);
    small_finish(&small, program);
}

static void take_stores(struct machine *machine, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        take(machine, 1);
    }
}

static void tso_drains_in_order(void **state) {
    (void)state;
    struct program program;
    uint64_t address[3];
    four_stores(&program, address);
    struct machine *machine = small_machine(&program, MODEL_TSO);
    take_stores(machine, 4);
    for (size_t left = 4; left > 0; left--) {
        assert_int_equal(buffered(machine, 1), left);
        assert_true(can_drain(machine, 1, 0));
        for (size_t k = 1; k < left; k++) {
            assert_false(can_drain(machine, 1, k));
        }
        take_drain(machine, 1, 0);
    }
    assert_int_equal(memory(machine, address[0], 8), 0x0000000301010101);
    machine_free(machine);
    program_delete(&program);
}

static void pso_orders_only_overlapping_stores(void **state) {
    (void)state;
    struct program program;
    uint64_t address[3];
    four_stores(&program, address);
    struct machine *machine = small_machine(&program, MODEL_PSO);
    take_stores(machine, 4);
    assert_true(can_drain(machine, 1, 0));
    assert_true(can_drain(machine, 1, 1));
    assert_false(can_drain(machine, 1, 2)); /* overlaps the first */
    assert_true(can_drain(machine, 1, 3));
    take_drain(machine, 1, 3);
    assert_int_equal(memory(machine, address[2], 4), 4);
    assert_int_equal(memory(machine, address[1], 4), 0);
    take_drain(machine, 1, 1);
    assert_false(can_drain(machine, 1, 1));
    take_drain(machine, 1, 0);
    take_drain(machine, 1, 0);
    assert_int_equal(memory(machine, address[0], 8), 0x0000000301010101);
    machine_free(machine);
    program_delete(&program);
}

static void machine_enabled_lists_drains_behind_steps(void **state) {
    (void)state;
    struct program program;
    uint64_t address[3];
    four_stores(&program, address);
    struct machine *machine = small_machine(&program, MODEL_PSO);
    take_stores(machine, 3);
    const struct transition *enabled;
    assert_int_equal(machine_enabled(machine, &enabled), 3);
    assert_int_equal(enabled[0].kind, TRANSITION_STEP);
    assert_int_equal(enabled[0].thread, 1);
    assert_int_equal(enabled[1].kind, TRANSITION_DRAIN);
    assert_int_equal(enabled[2].kind, TRANSITION_DRAIN);
    assert_int_equal(enabled[2].choice, enabled[1].choice + 1);
    machine_free(machine);
    program_delete(&program);
}

enum separator { SEPARATE_NOTHING, SEPARATE_BARRIER, SEPARATE_FENCE, SEPARATE_STORE };

/* Store x; what separates them; store y.  Are the two ordered under PSO? */
static bool pso_orders(enum separator separator, enum order order) {
    struct small_program small;
    struct program program;
    small_init(&small, 1);
    uint64_t x = small_variable(&small, "x", 4);
    uint64_t y = small_variable(&small, "y", 4);
    small_thread(&small, 1);
    small_store(&small, x, 1, 4, ORDER_PLAIN);
    if (separator == SEPARATE_BARRIER) {
        small_store_barrier(&small);
    } else if (separator == SEPARATE_FENCE) {
        small_fence(&small, order);
    }
    small_store(&small, y, 2, 4, separator == SEPARATE_STORE ? order : ORDER_RELAXED);
    small_finish(&small, &program);
    struct machine *machine = small_machine(&program, MODEL_PSO);
    take_stores(machine, 2);
    bool ordered = !can_drain(machine, 1, 1);
    take_drain(machine, 1, 0);
    assert_true(can_drain(machine, 1, 0));
    machine_free(machine);
    program_delete(&program);
    return ordered;
}

static void pso_store_barriers(void **state) {
    (void)state;
    assert_false(pso_orders(SEPARATE_NOTHING, ORDER_PLAIN));
    assert_true(pso_orders(SEPARATE_BARRIER, ORDER_PLAIN));
    assert_true(pso_orders(SEPARATE_FENCE, ORDER_RELEASE));
    assert_true(pso_orders(SEPARATE_FENCE, ORDER_ACQ_REL));
    assert_false(pso_orders(SEPARATE_FENCE, ORDER_ACQUIRE));
    assert_false(pso_orders(SEPARATE_FENCE, ORDER_RELAXED));
    assert_true(pso_orders(SEPARATE_STORE, ORDER_RELEASE));
    assert_true(pso_orders(SEPARATE_STORE, ORDER_SEQ_CST));
    assert_false(pso_orders(SEPARATE_STORE, ORDER_RELAXED));
}

static void pso_barriers_order_groups(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    small_init(&small, 1);
    uint64_t v[5];
    for (int i = 0; i < 5; i++) {
        v[i] = small_variable(&small, "v", 4);
    }
    small_thread(&small, 1);
    small_store(&small, v[0], 1, 4, ORDER_PLAIN);
    small_store(&small, v[1], 1, 4, ORDER_PLAIN);
    small_store(&small, v[2], 1, 4, ORDER_RELEASE);
    small_store(&small, v[3], 1, 4, ORDER_PLAIN);
    small_store_barrier(&small);
    small_store(&small, v[4], 1, 4, ORDER_PLAIN);
    small_finish(&small, &program);
    struct machine *machine = small_machine(&program, MODEL_PSO);
    take_stores(machine, 5);
    static const bool first[] = {true, true, false, false, false};
    for (size_t k = 0; k < 5; k++) {
        assert_int_equal(can_drain(machine, 1, k), first[k]);
    }
    take_drain(machine, 1, 1);
    assert_false(can_drain(machine, 1, 1));
    take_drain(machine, 1, 0);
    /* The release store and what follows it up to the barrier are free of each other. */
    assert_true(can_drain(machine, 1, 0));
    assert_true(can_drain(machine, 1, 1));
    assert_false(can_drain(machine, 1, 2));
    take_drain(machine, 1, 1);
    assert_false(can_drain(machine, 1, 1));
    take_drain(machine, 1, 0);
    take_drain(machine, 1, 0);
    assert_int_equal(buffered(machine, 1), 0);
    machine_free(machine);
    program_delete(&program);
}

enum waiter { WAITS_FENCE, WAITS_RMW, WAITS_CAS_SUCCESS, WAITS_CAS_FAILURE, WAITS_LOCK, WAITS_ATOMIC, WAITS_RETURN };

static void emit_waiter(struct small_program *small, enum waiter waiter, uint64_t y) {
    switch (waiter) {
    case WAITS_FENCE:
        small_fence(small, ORDER_SEQ_CST);
        break;
    case WAITS_RMW:
        small_rmw(small, 2, RMW_ADD, y, 5, 4);
        break;
    case WAITS_CAS_SUCCESS:
        small_cas(small, 2, y, 0, 5, 4);
        break;
    case WAITS_CAS_FAILURE:
        small_cas(small, 2, y, 1, 5, 4);
        break;
    case WAITS_LOCK:
        small_sync(small, 2, SYNC_MUTEX_LOCK, y, 0);
        break;
    case WAITS_ATOMIC:
        small_emit(small, (struct instruction){.op = OP_ATOMIC_BEGIN});
        small_emit(small, (struct instruction){.op = OP_ATOMIC_END});
        break;
    case WAITS_RETURN:
        break;
    }
}

static void full_fences_and_atomic_steps_wait_for_the_empty_buffer(void **state) {
    (void)state;
    for (int waiter = WAITS_FENCE; waiter <= WAITS_RETURN; waiter++) {
        struct small_program small;
        struct program program;
        small_init(&small, 1);
        uint64_t x = small_variable(&small, "x", 4);
        uint64_t y = small_variable(&small, "y", 40);
        small_thread(&small, 1);
        small_store(&small, x, 1, 4, ORDER_PLAIN);
        small_store(&small, x + 0, 2, 4, ORDER_PLAIN);
        emit_waiter(&small, (enum waiter)waiter, y);
        small_finish(&small, &program);
        for (int model = MODEL_TSO; model <= MODEL_PSO; model++) {
            struct machine *machine = small_machine(&program, (enum memory_model)model);
            take_stores(machine, 2);
            assert_false(can_step(machine, 1));
            take_drain(machine, 1, 0);
            assert_false(can_step(machine, 1));
            take_drain(machine, 1, 0);
            take(machine, 1);
            bool writes = waiter == WAITS_RMW || waiter == WAITS_CAS_SUCCESS;
            assert_int_equal(buffered(machine, 1), 0);
            if (waiter != WAITS_LOCK) {
                assert_int_equal(memory(machine, y, 4), writes ? 5 : 0);
            }
            machine_free(machine);
        }
        program_delete(&program);
    }
}

static void weak_fences_do_not_wait(void **state) {
    (void)state;
    static const enum order weak[] = {ORDER_RELAXED, ORDER_ACQUIRE, ORDER_RELEASE, ORDER_ACQ_REL};
    for (size_t i = 0; i < sizeof weak / sizeof *weak; i++) {
        struct small_program small;
        struct program program;
        small_init(&small, 1);
        uint64_t x = small_variable(&small, "x", 4);
        small_thread(&small, 1);
        small_store(&small, x, 1, 4, ORDER_PLAIN);
        small_fence(&small, weak[i]);
        small_store_barrier(&small);
        small_load(&small, 2, x, 4);
        small_finish(&small, &program);
        for (int model = 0; model < MODEL_COUNT; model++) {
            struct machine *machine = small_machine(&program, (enum memory_model)model);
            take(machine, 1);
            /* The fence is no step: the thread stands at the load. */
            assert_int_equal(take(machine, 1)->kind, STEP_LOAD);
            assert_int_equal(machine_last(machine)->read[0], 1);
            machine_free(machine);
        }
        program_delete(&program);
    }
}

static void failed_cas_does_not_write(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    small_init(&small, 1);
    uint64_t x = small_variable(&small, "x", 8);
    small_thread(&small, 1);
    small_cas(&small, 2, x, 7, 9, 4);
    small_assert_equal(&small, 2, 0, 4);
    small_assert_equal(&small, 3, 0, 4);
    small_cas(&small, 2, x, 0, 9, 4);
    small_assert_equal(&small, 2, 0, 4);
    small_assert_equal(&small, 3, 1, 4);
    small_cas(&small, 2, x, 9, 1, 1);
    small_finish(&small, &program);
    for (int model = 0; model < MODEL_COUNT; model++) {
        struct machine *machine = small_machine(&program, (enum memory_model)model);
        const struct step *step = take(machine, 1);
        assert_int_equal(step->kind, STEP_CAS);
        assert_true(step->reads);
        assert_false(step->writes);
        assert_int_equal(memory(machine, x, 8), 0);
        assert_true(take(machine, 1)->writes);
        assert_int_equal(memory(machine, x, 8), 9);
        take(machine, 1);
        assert_int_equal(memory(machine, x, 8), 1);
        assert_int_equal(error_kind(machine), ERROR_NONE);
        machine_free(machine);
    }
    program_delete(&program);
}

static void rmw_operations(void **state) {
    (void)state;
    static const struct {
        enum rmw_kind kind;
        uint64_t old, operand, now;
    } cases[] = {
        {RMW_XCHG, 0x12, 0x34, 0x34}, {RMW_ADD, 0xff, 2, 1},        {RMW_SUB, 1, 2, 0xff},
        {RMW_AND, 0x3c, 0x18, 0x18},  {RMW_NAND, 0x0f, 0x3c, 0xf3}, {RMW_OR, 0x30, 0x03, 0x33},
        {RMW_XOR, 0xff, 0x0f, 0xf0},  {RMW_SMAX, 0xff, 1, 1},       {RMW_SMIN, 0xff, 1, 0xff},
        {RMW_UMAX, 0xff, 1, 0xff},    {RMW_UMIN, 0xff, 1, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct small_program small;
        struct program program;
        small_init(&small, 1);
        uint64_t x = small_variable(&small, "x", 4);
        small_thread(&small, 1);
        small_store(&small, x, cases[i].old, 1, ORDER_PLAIN);
        small_rmw(&small, 2, cases[i].kind, x, cases[i].operand, 1);
        small_assert_equal(&small, 2, cases[i].old, 3);
        small_finish(&small, &program);
        struct machine *machine = small_machine(&program, MODEL_TSO);
        take(machine, 1);
        take_drain(machine, 1, 0);
        take(machine, 1);
        assert_int_equal(memory(machine, x, 4), cases[i].now);
        assert_int_equal(error_kind(machine), ERROR_NONE);
        machine_free(machine);
        program_delete(&program);
    }
}

static void sixteen_byte_stores_are_one_entry(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    small_init(&small, 1);
    uint64_t x = small_variable(&small, "x", 16);
    small_thread(&small, 1);
    small_store(&small, x, 0x0102030405060708, 16, ORDER_RELAXED);
    small_load(&small, 2, x, 16);
    small_load(&small, 2, x + 4, 8);
    small_finish(&small, &program);
    struct machine *machine = small_machine(&program, MODEL_TSO);
    take(machine, 1);
    assert_int_equal(buffered(machine, 1), 1);
    assert_int_equal(take(machine, 1)->read[0], 0x0102030405060708);
    assert_int_equal(machine_last(machine)->read[1], 0);
    assert_int_equal(take(machine, 1)->read[0], 0x01020304);
    machine_free(machine);
    program_delete(&program);
}

static void next_step_is_known_before_it_is_taken(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    small_init(&small, 1);
    uint64_t x = small_variable(&small, "x", 4);
    small_thread(&small, 1);
    small_store(&small, x, 7, 4, ORDER_RELEASE);
    small_rmw(&small, 2, RMW_ADD, x, 1, 4);
    small_finish(&small, &program);
    struct machine *machine = small_machine(&program, MODEL_TSO);
    struct step next;
    struct transition step = {.thread = 1, .kind = TRANSITION_STEP};
    machine_next(machine, step, &next);
    assert_int_equal(next.kind, STEP_STORE);
    assert_int_equal(next.address, x);
    assert_int_equal(next.size, 4);
    assert_int_equal(next.order, ORDER_RELEASE);
    assert_int_equal(next.written[0], 7);
    uint64_t serial = take(machine, 1)->serial;
    assert_int_equal(next.serial, serial);
    machine_next(machine, (struct transition){.thread = 1, .kind = TRANSITION_DRAIN, .choice = serial}, &next);
    assert_int_equal(next.kind, STEP_DRAIN);
    assert_int_equal(next.address, x);
    assert_int_equal(next.written[0], 7);
    take_drain(machine, 1, 0);
    machine_next(machine, step, &next);
    assert_int_equal(next.kind, STEP_RMW);
    assert_int_equal(next.read[0], 7);
    assert_int_equal(next.written[0], 8);
    machine_free(machine);
    program_delete(&program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sc_stores_take_effect_at_once),
        cmocka_unit_test(exact_store_is_forwarded),
        cmocka_unit_test(contained_load_is_forwarded),
        cmocka_unit_test(loads_beside_a_store_read_memory),
        cmocka_unit_test(partly_covered_load_waits),
        cmocka_unit_test(newest_overlapping_store_decides),
        cmocka_unit_test(others_do_not_see_a_buffer),
        cmocka_unit_test(tso_drains_in_order),
        cmocka_unit_test(pso_orders_only_overlapping_stores),
        cmocka_unit_test(machine_enabled_lists_drains_behind_steps),
        cmocka_unit_test(pso_store_barriers),
        cmocka_unit_test(pso_barriers_order_groups),
        cmocka_unit_test(full_fences_and_atomic_steps_wait_for_the_empty_buffer),
        cmocka_unit_test(weak_fences_do_not_wait),
        cmocka_unit_test(failed_cas_does_not_write),
        cmocka_unit_test(rmw_operations),
        cmocka_unit_test(sixteen_byte_stores_are_one_entry),
        cmocka_unit_test(next_step_is_known_before_it_is_taken),
    };
    return cmocka_run_group_tests_name("store buffers", tests, NULL, NULL);
}
