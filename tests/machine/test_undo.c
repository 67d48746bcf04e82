/* Undoing: random walks with marks at random depths come back to the same hash and the same bytes. */
#include <stdlib.h>
#include <string.h>

#include "small_program.h"

#define MAX_MARKS 64
#define ROUNDS 400

struct saved {
    machine_mark mark;
    uint64_t hash;
    uint8_t *bytes;
    size_t size;
    struct machine_error error;
    enum outcome outcome;
};

static uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void save_state(struct machine *machine, struct saved *saved) {
    size_t capacity = 0;
    saved->bytes = NULL;
    saved->outcome = machine_outcome(machine);
    saved->error = *machine_error(machine);
    saved->hash = machine_hash(machine);
    saved->size = machine_serialise(machine, &saved->bytes, &capacity);
    saved->mark = machine_set_mark(machine);
}

static void check_state(struct machine *machine, const struct saved *saved) {
    uint8_t *bytes = NULL;
    size_t capacity = 0;
    size_t size = machine_serialise(machine, &bytes, &capacity);
    assert_int_equal(machine_hash(machine), saved->hash);
    assert_int_equal(size, saved->size);
    assert_memory_equal(bytes, saved->bytes, size);
    assert_int_equal(machine_outcome(machine), saved->outcome);
    assert_int_equal(machine_error(machine)->kind, saved->error.kind);
    assert_string_equal(machine_error(machine)->message, saved->error.message);
    free(bytes);
}

static void walk(struct machine *machine, uint32_t seed) {
    struct saved marks[MAX_MARKS];
    size_t depth = 0;
    uint32_t random = seed;
    save_state(machine, &marks[depth++]);
    for (int round = 0; round < ROUNDS; round++) {
        const struct transition *enabled;
        size_t count = machine_enabled(machine, &enabled);
        if (count > 0 && next_random(&random) % 4 > 0) {
            struct transition transition = enabled[next_random(&random) % count];
            if (transition.kind == TRANSITION_STEP) {
                transition.choice = next_random(&random) % machine_choices(machine, transition.thread);
            }
            machine_take(machine, transition);
        } else if (depth < MAX_MARKS && next_random(&random) % 2) {
            save_state(machine, &marks[depth++]);
        } else {
            /* Back to some mark; it stays, and may be gone back to again. */
            size_t to = next_random(&random) % depth;
            machine_undo(machine, marks[to].mark);
            check_state(machine, &marks[to]);
            while (depth > to + 1) {
                free(marks[--depth].bytes);
            }
        }
    }
    machine_undo(machine, marks[0].mark);
    check_state(machine, &marks[0]);
    while (depth > 0) {
        free(marks[--depth].bytes);
    }
}

static void emit_call(struct small_program *small, uint32_t function, uint32_t dst, uint32_t argument) {
    uint32_t operands = builder_operands(&small->builder, &argument, 1);
    small_emit(small, (struct instruction){.op = OP_CALL, .dst = dst, .a = function, .b = operands, .c = 1});
}

/* A bit of everything: buffered stores, calls with private and escaping locals, malloc and free, locks, a child thread,
 * nondeterminism, an assertion that may fail. */
static void build_mixture(struct program *program) {
    struct small_program small;
    small_init(&small, 3);
    uint32_t callee = builder_function(&small.builder, "callee", 1, 1, 0);
    uint32_t child = builder_function(&small.builder, "child", 2, 0, 0);
    uint64_t x = small_variable(&small, "x", 16);
    uint64_t p = small_variable(&small, "p", 8);
    uint64_t lock = small_variable(&small, "lock", 40);
    uint64_t semaphore = small_variable(&small, "semaphore", 4);
    uint64_t condition = small_variable(&small, "condition", 4);
    for (uint32_t t = 1; t <= 3; t++) {
        small_thread(&small, t);
        uint32_t start = small_here(&small);
        small_store(&small, x + 4 * t - 4, 0x10101 * t, 4, ORDER_PLAIN);
        small_load(&small, 2, x + 4, 8);
        small_emit(&small,
                   (struct instruction){
                       .op = OP_MALLOC, .dst = 3, .a = small_number(&small, 8 * t), .b = small_number(&small, 16)});
        small_store_register(&small, p, 3, 8);
        emit_call(&small, callee, 4, 2);
        if (t == 1) {
            small_emit(&small, (struct instruction){.op = OP_FREE, .a = 3});
            small_sync(&small, 6, SYNC_THREAD_CREATE, function_address(child), 0);
            small_sync(&small, NO_REGISTER, SYNC_SEM_POST, semaphore, 0);
        } else if (t == 2) {
            small_sync(&small, 5, SYNC_MUTEX_TIMEDLOCK, lock, 0);
            small_sync(&small, 5, SYNC_SEM_TRYWAIT, semaphore, 0);
            small_emit(
                &small,
                (struct instruction){
                    .op = OP_NONDET, .width = 8, .dst = 7, .a = small_number(&small, 1), .b = small_number(&small, 5)});
            small_store_register(&small, x + 3, 7, 1);
            small_sync(&small, NO_REGISTER, SYNC_COND_SIGNAL, condition, 0);
        } else {
            small_sync(&small, 5, SYNC_MUTEX_LOCK, lock, 0);
            small_sync(&small, 6, SYNC_COND_RELEASE, condition, lock);
            small_sync(&small, 5, SYNC_COND_TIMEDSLEEP, condition, 0);
            small_sync(&small, 6, SYNC_MUTEX_RETAKE, lock, 1);
            small_sync(&small, 5, SYNC_MUTEX_UNLOCK, lock, 0);
            small_emit(&small, (struct instruction){.op = OP_LOAD, .width = 8, .dst = 8, .a = 3});
            small_emit(&small, (struct instruction){.op = OP_ATOMIC_BEGIN});
            small_cas(&small, 9, x, 0, 9, 2);
            small_emit(&small, (struct instruction){.op = OP_ATOMIC_END});
        }
        small_rmw(&small, 2, RMW_ADD, x + 8, 1, 4);
        small_emit(&small, (struct instruction){.op = OP_JMP, .a = start});
    }
    small_function(&small, callee);
    small_emit(&small,
               (struct instruction){
                   .op = OP_ALLOCA, .flags = INSTRUCTION_PRIVATE, .dst = 3, .a = small_number(&small, 24), .b = 8});
    small_emit(&small, (struct instruction){.op = OP_STORE, .width = 8, .a = 3, .b = 0});
    small_emit(&small, (struct instruction){.op = OP_ALLOCA, .dst = 4, .a = small_number(&small, 8), .b = 8});
    small_emit(&small, (struct instruction){.op = OP_STORE, .width = 8, .a = 4, .b = 0});
    small_emit(&small, (struct instruction){.op = OP_LOAD, .width = 8, .dst = 5, .a = 3});
    small_load(&small, 6, x, 1);
    small_emit(&small, (struct instruction){.op = OP_LEAVE});
    uint32_t result = 5;
    small_emit(&small, (struct instruction){.op = OP_RET, .a = builder_operands(&small.builder, &result, 1), .b = 1});
    small_function(&small, child);
    small_load(&small, 2, p, 8);
    small_emit(&small, (struct instruction){.op = OP_STORE, .width = 4, .a = 2, .b = small_number(&small, 3)});
    small_finish(&small, program);
}

static void random_walks_are_undone_exactly(void **state) {
    (void)state;
    struct program program;
    build_mixture(&program);
    for (int model = 0; model < MODEL_COUNT; model++) {
        for (uint32_t seed = 1; seed <= 60; seed++) {
            struct machine *machine = machine_new(
                &program, &(struct machine_options){.model = (enum memory_model)model, .spurious = seed % 2 == 0});
            walk(machine, seed);
            machine_free(machine);
        }
    }
    program_delete(&program);
}

static void one_machine_serves_many_walks(void **state) {
    (void)state;
    struct program program;
    build_mixture(&program);
    for (int model = 0; model < MODEL_COUNT; model++) {
        struct machine *machine = machine_new(&program, &(struct machine_options){.model = (enum memory_model)model,
                                                                                  .checks = CHECK_FOR_UNINIT,
                                                                                  .malloc_fail = true});
        for (uint32_t seed = 1000; seed < 1040; seed++) {
            walk(machine, seed);
        }
        machine_free(machine);
    }
    program_delete(&program);
}

/* The same schedule leads to the same bytes, in a fresh machine and in one that has gone elsewhere in between. */
static void states_do_not_depend_on_the_way(void **state) {
    (void)state;
    struct program program;
    build_mixture(&program);
    struct machine_options options = {.model = MODEL_PSO};
    struct machine *used = machine_new(&program, &options);
    for (uint32_t seed = 1; seed <= 20; seed++) {
        walk(used, seed);
        machine_mark start = machine_set_mark(used);
        struct machine *fresh = machine_new(&program, &options);
        uint32_t random = seed;
        for (int i = 0; i < 60; i++) {
            const struct transition *enabled;
            size_t count = machine_enabled(fresh, &enabled);
            if (count == 0) {
                break;
            }
            struct transition transition = enabled[next_random(&random) % count];
            assert_true(machine_is_enabled(used, transition));
            machine_take(fresh, transition);
            machine_take(used, transition);
            assert_int_equal(machine_hash(fresh), machine_hash(used));
        }
        machine_free(fresh);
        machine_undo(used, start);
    }
    machine_free(used);
    program_delete(&program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_walks_are_undone_exactly),
        cmocka_unit_test(one_machine_serves_many_walks),
        cmocka_unit_test(states_do_not_depend_on_the_way),
    };
    return cmocka_run_group_tests_name("undo", tests, NULL, NULL);
}
