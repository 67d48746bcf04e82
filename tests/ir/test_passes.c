/* Passes: what they change, and that the sets of final states stay what they were. */
#include <stdlib.h>
#include <string.h>

#include "engine/brute.h"
#include "ir/check.h"
#include "ir/passes.h"
#include "quiet_task.h"
#include "small_program.h"

#define MAX_STATES 64

struct states {
    char *texts[MAX_STATES];
    size_t count;
    uint64_t blocked;
    uint64_t cut;
    enum verdict_word word;
};

static int compare_texts(const void *one, const void *other) {
    return strcmp(*(char *const *)one, *(char *const *)other);
}

static void states_find(struct states *states, const struct program *program, enum memory_model model) {
    struct quiet_task quiet;
    struct verdict verdict;
    struct task *task = quiet_task_init(&quiet, program, model);
    task->collect = COLLECT_STATES;
    verdict_init(&verdict);
    engine_run(&engine_brute, task, &verdict);
    *states = (struct states){
        .count = verdict.collected.texts.count, .blocked = verdict.blocked, .cut = verdict.cut, .word = verdict.word};
    assert_true(states->count <= MAX_STATES);
    if (states->count > 0) {
        memcpy(states->texts, verdict.collected.texts.data, states->count * sizeof(char *));
        qsort(states->texts, states->count, sizeof(char *), compare_texts);
    }
    verdict.collected.texts.count = 0;
    verdict_delete(&verdict);
}

static void states_delete(struct states *states) {
    for (size_t i = 0; i < states->count; i++) {
        free(states->texts[i]);
    }
}

static void assert_same_states(struct states *before, const struct program *program, enum memory_model model) {
    struct states after;
    states_find(&after, program, model);
    assert_int_equal(after.word, before->word);
    assert_int_equal(after.count, before->count);
    for (size_t i = 0; i < after.count; i++) {
        assert_string_equal(after.texts[i], before->texts[i]);
    }
    states_delete(&after);
}

static size_t count_op(const struct program *program, enum op op) {
    size_t count = 0;
    for (size_t i = 0; i < program->code_count; i++) {
        count += program->code[i].op == op;
    }
    return count;
}

static void emit_jump(struct small_program *small, uint32_t to) {
    small_emit(small, (struct instruction){.op = OP_JMP, .a = to});
}

static void emit_add(struct small_program *small, uint32_t dst, uint32_t a, uint64_t value) {
    small_emit(small,
               (struct instruction){.op = OP_ADD, .width = 32, .dst = dst, .a = a, .b = small_number(small, value)});
}

static void emit_less(struct small_program *small, uint32_t dst, uint32_t a, uint64_t value) {
    small_emit(
        small,
        (struct instruction){
            .op = OP_ICMP, .width = 32, .sub = PREDICATE_ULT, .dst = dst, .a = a, .b = small_number(small, value)});
}

/* Store buffering, with jumps to jumps, dead results and unreachable code in between. */
static void build_untidy(struct program *program) {
    struct small_program small;
    small_init(&small, 2);
    uint64_t x = small_variable(&small, "x", 4);
    uint64_t y = small_variable(&small, "y", 4);
    uint64_t seen = small_variable(&small, "seen", 8);
    for (uint32_t t = 1; t <= 2; t++) {
        small_thread(&small, t);
        emit_jump(&small, 2);
        emit_jump(&small, 0);
        emit_jump(&small, 3);
        small_store(&small, t == 1 ? x : y, 1, 4, ORDER_PLAIN);
        emit_add(&small, 7, 0, 5);  /* never read */
        emit_add(&small, 8, 7, 5);  /* nor this */
        emit_add(&small, 9, 1, 40); /* this is stored below */
        small_load(&small, 10, t == 1 ? y : x, 4);
        small_emit(&small, (struct instruction){.op = OP_ADD, .width = 32, .dst = 11, .a = 10, .b = 9});
        small_store_register(&small, seen + 4 * t - 4, 11, 4);
        small_return(&small);
        emit_add(&small, 7, 0, 5);
    }
    small_finish(&small, program);
}

static void simplify_and_compact_keep_the_meaning(void **state) {
    (void)state;
    for (int model = 0; model < MODEL_COUNT; model++) {
        struct program program;
        struct states before;
        build_untidy(&program);
        states_find(&before, &program, (enum memory_model)model);
        assert_int_equal(before.count, model == MODEL_SC ? 3 : 4);
        size_t code = program.code_count;
        pass_simplify(&program);
        assert_true(program.code_count + 10 <= code);
        assert_int_equal(count_op(&program, OP_JMP), 0);
        assert_same_states(&before, &program, (enum memory_model)model);
        pass_compact(&program);
        assert_true(program.functions[1].registers <= 4);
        assert_same_states(&before, &program, (enum memory_model)model);
        states_delete(&before);
        program_delete(&program);
    }
}

static void simplify_keeps_what_may_fail(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    small_init(&small, 1);
    small_thread(&small, 1);
    small_emit(&small, (struct instruction){.op = OP_UDIV, .width = 32, .dst = 2, .a = 0, .b = 0});
    small_finish(&small, &program);
    pass_simplify(&program);
    struct states states;
    states_find(&states, &program, MODEL_SC);
    assert_int_equal(states.word, VERDICT_VIOLATION);
    states_delete(&states);
    program_delete(&program);
}

/* Message passing through a waiting loop; the reader counts its iterations, which does not matter. */
static void build_waiting(struct program *program, bool counts, bool stores) {
    struct small_program small;
    small_init(&small, 2);
    uint64_t data = small_variable(&small, "data", 4);
    uint64_t flag = small_variable(&small, "flag", 4);
    uint64_t seen = small_variable(&small, "seen", 4);
    uint64_t rounds = small_variable(&small, "rounds", 4);
    small_thread(&small, 1);
    small_store(&small, data, 7, 4, ORDER_PLAIN);
    small_store(&small, flag, 1, 4, ORDER_PLAIN);
    small_thread(&small, 2);
    small_emit(&small, (struct instruction){.op = OP_MOV, .dst = 4, .a = small_number(&small, 0)});
    uint32_t start = small_here(&small);
    small_load(&small, 2, flag, 4);
    if (counts) {
        emit_add(&small, 4, 4, 1);
    }
    if (stores) {
        small_store(&small, rounds, 1, 4, ORDER_PLAIN);
    }
    uint32_t branch = small_here(&small);
    small_emit(&small, (struct instruction){.op = OP_BR, .a = 2, .b = branch + 1, .c = start});
    small_load(&small, 3, data, 4);
    small_store_register(&small, seen, 3, 4);
    small_finish(&small, program);
}

static void waiting_loops_become_awaits(void **state) {
    (void)state;
    for (int counts = 0; counts < 2; counts++) {
        for (int model = 0; model < MODEL_COUNT; model++) {
            struct program program;
            struct program awaiting;
            struct states before;
            build_waiting(&program, false, false);
            states_find(&before, &program, (enum memory_model)model);
            assert_int_equal(before.word, VERDICT_SAFE);
            assert_int_equal(before.count, model == MODEL_PSO ? 2 : 1);
            build_waiting(&awaiting, counts, false);
            pass_awaits(&awaiting);
            assert_int_equal(count_op(&awaiting, OP_AWAIT), 1);
            assert_true(count_op(&awaiting, OP_AGAIN) >= 1);
            assert_same_states(&before, &awaiting, (enum memory_model)model);
            pass_simplify(&awaiting);
            pass_compact(&awaiting);
            assert_same_states(&before, &awaiting, (enum memory_model)model);
            states_delete(&before);
            program_delete(&program);
            program_delete(&awaiting);
        }
    }
}

static void rounds_that_store_are_not_taken_for_waiting(void **state) {
    (void)state;
    for (int model = 0; model < MODEL_COUNT; model++) {
        struct program program;
        struct states before;
        build_waiting(&program, false, true);
        pass_unroll(&program, 3);
        states_find(&before, &program, (enum memory_model)model);
        program_delete(&program);
        build_waiting(&program, false, true);
        pass_awaits(&program);
        pass_unroll(&program, 3);
        assert_same_states(&before, &program, (enum memory_model)model);
        states_delete(&before);
        program_delete(&program);
    }
}

static void awaits_that_never_end_are_blocked(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    struct states states;
    small_init(&small, 1);
    uint64_t x = small_variable(&small, "x", 4);
    small_thread(&small, 1);
    small_load(&small, 2, x, 4);
    small_emit(&small, (struct instruction){.op = OP_BR, .a = 2, .b = 2, .c = 0});
    small_finish(&small, &program);
    pass_awaits(&program);
    assert_int_equal(count_op(&program, OP_AWAIT), 1);
    states_find(&states, &program, MODEL_TSO);
    assert_int_equal(states.count, 0);
    assert_true(states.blocked > 0);
    states_delete(&states);
    program_delete(&program);
}

/* Nothing that the bound of a loop puts before an AWAIT comes between it and an AGAIN, wherever that stands. */
static void an_again_from_outside_of_the_loop_leads_to_its_await(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    char message[256];
    small_init(&small, 1);
    uint64_t x = small_variable(&small, "x", 4);
    small_thread(&small, 1);
    small_emit(&small, (struct instruction){.op = OP_AGAIN, .dst = NO_REGISTER, .a = 1, .b = 1});
    small_emit(&small, (struct instruction){.op = OP_AWAIT, .dst = NO_REGISTER});
    small_load(&small, 2, x, 4);
    small_emit(&small, (struct instruction){.op = OP_BR, .a = 2, .b = 5, .c = 4});
    small_emit(&small, (struct instruction){.op = OP_JMP, .a = 1});
    small_finish(&small, &program);
    assert_true(program_check(&program, message, sizeof message));
    pass_unroll(&program, 3);
    assert_true(program_check(&program, message, sizeof message));
    program_delete(&program);
}

/* A loop that stores its counter to x and iterates `rounds` times. */
static void build_counting(struct program *program, uint64_t rounds) {
    struct small_program small;
    small_init(&small, 1);
    uint64_t x = small_variable(&small, "x", 4);
    small_thread(&small, 1);
    small_emit(&small, (struct instruction){.op = OP_MOV, .dst = 2, .a = small_number(&small, 0)});
    emit_add(&small, 2, 2, 1);
    small_store_register(&small, x, 2, 4);
    emit_less(&small, 3, 2, rounds);
    small_emit(&small, (struct instruction){.op = OP_BR, .a = 3, .b = 1, .c = 5});
    small_finish(&small, program);
}

static void unrolling_cuts_beyond_the_bound_only(void **state) {
    (void)state;
    for (uint32_t rounds = 1; rounds <= 5; rounds++) {
        for (uint32_t bound = 1; bound <= 5; bound++) {
            struct program program;
            struct states states;
            build_counting(&program, rounds);
            pass_unroll(&program, bound);
            states_find(&states, &program, MODEL_TSO);
            /* The body runs `rounds` times, so control goes back rounds - 1 times. */
            bool complete = rounds - 1 <= bound;
            assert_int_equal(states.count, complete ? 1 : 0);
            assert_int_equal(states.cut > 0, !complete);
            states_delete(&states);
            program_delete(&program);
        }
    }
}

static void assumptions_narrow_domains(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    struct states states;
    small_init(&small, 1);
    uint64_t x = small_variable(&small, "x", 4);
    small_thread(&small, 1);
    small_emit(&small, (struct instruction){.op = OP_NONDET,
                                            .width = 32,
                                            .dst = 2,
                                            .a = small_number(&small, 0),
                                            .b = small_number(&small, UINT32_MAX)});
    emit_less(&small, 3, 2, 13);
    small_emit(&small, (struct instruction){.op = OP_ASSUME, .a = 3});
    small_emit(&small,
               (struct instruction){
                   .op = OP_ICMP, .width = 32, .sub = PREDICATE_UGE, .dst = 3, .a = 2, .b = small_number(&small, 10)});
    small_emit(&small, (struct instruction){.op = OP_ASSUME, .a = 3});
    small_store_register(&small, x, 2, 4);
    small_finish(&small, &program);
    pass_narrow(&program);
    states_find(&states, &program, MODEL_SC);
    assert_int_equal(states.word, VERDICT_SAFE);
    assert_int_equal(states.count, 3);
    assert_non_null(strstr(states.texts[0], "x=0a000000"));
    assert_non_null(strstr(states.texts[2], "x=0c000000"));
    states_delete(&states);
    program_delete(&program);
}

/* A compare-and-swap whose first result has the number of the last parameter. */
static void compact_keeps_rows_that_begin_with_a_parameter(void **state) {
    (void)state;
    struct builder builder;
    struct program program;
    builder_init(&builder);
    uint32_t global = builder_global(&builder, "x", 4, 4, 0);
    uint32_t address = builder_address(&builder, builder_global_at(&builder, global)->address);
    uint32_t one = builder_constant(&builder, 1);
    uint32_t function = builder_function(&builder, "f", 2, 1, 0);
    builder.entry = builder_function(&builder, "main", 0, 0, 0);
    builder_begin(&builder, function);
    builder_emit(&builder, (struct instruction){.op = OP_CAS, .width = 4, .dst = 1, .a = address, .b = one, .c = one});
    uint32_t result = 1;
    builder_emit(&builder, (struct instruction){
                               .op = OP_RET, .dst = NO_REGISTER, .a = builder_operands(&builder, &result, 1), .b = 1});
    builder_end(&builder, 3);
    builder_begin(&builder, builder.entry);
    builder_emit(&builder, (struct instruction){.op = OP_EXIT, .dst = NO_REGISTER, .a = one});
    builder_end(&builder, 0);
    builder_finish(&builder, &program);
    pass_compact(&program);
    char message[200];
    assert_true(program_check(&program, message, sizeof message));
    assert_int_equal(program.functions[function].registers, 3);
    program_delete(&program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simplify_and_compact_keep_the_meaning),
        cmocka_unit_test(compact_keeps_rows_that_begin_with_a_parameter),
        cmocka_unit_test(simplify_keeps_what_may_fail),
        cmocka_unit_test(waiting_loops_become_awaits),
        cmocka_unit_test(rounds_that_store_are_not_taken_for_waiting),
        cmocka_unit_test(awaits_that_never_end_are_blocked),
        cmocka_unit_test(an_again_from_outside_of_the_loop_leads_to_its_await),
        cmocka_unit_test(unrolling_cuts_beyond_the_bound_only),
        cmocka_unit_test(assumptions_narrow_domains),
    };
    return cmocka_run_group_tests_name("passes", tests, NULL, NULL);
}
