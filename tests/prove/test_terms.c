/* Each instruction's formula gives the machine's result, on random operands.
 *
 * One program holds all instructions, each on constants, and stores what they give; the machine runs it.  The formulas
 * get the same operands as variables, which a question sets to the same numbers.  An operation that is not followed has
 * a variable for a result: then only its width is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir/builder.h"
#include "machine/machine.h"
#include "prove/solver.h"
#include "prove/value.h"

#define CASES 600

struct sample {
    struct instruction code;
    uint64_t operands[3];
    bool exact[3]; /* the operand is a number in the formula, too */
};

static uint64_t random_state = 11;

static uint64_t next(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* Small, large, and near the borders of the width. */
static uint64_t draw_number(unsigned width) {
    uint64_t mask = bits_mask(width);
    switch (next() % 5) {
    case 0:
        return next() % 4 & mask;
    case 1:
        return (mask - next() % 4) & mask;
    case 2:
        return ((mask >> 1) + next() % 3) & mask;
    case 3:
        return UINT64_C(1) << next() % width;
    default:
        return next() & mask;
    }
}

static void draw(struct sample *sample) {
    static const uint8_t ops[] = {OP_ADD, OP_SUB,  OP_MUL,  OP_UDIV, OP_UREM, OP_AND,   OP_OR,    OP_XOR,
                                  OP_SHL, OP_LSHR, OP_ASHR, OP_ICMP, OP_SEXT, OP_TRUNC, OP_SELECT};
    static const uint8_t widths[] = {1, 8, 16, 32, 32, 64, 64};
    *sample = (struct sample){.code = {.op = ops[next() % sizeof ops], .width = widths[next() % sizeof widths]}};
    unsigned width = sample->code.width;
    if (sample->code.op == OP_ICMP) {
        sample->code.sub = (uint8_t)(next() % PREDICATE_COUNT);
    } else if (sample->code.op == OP_SEXT) {
        sample->code.width = (uint8_t)(width == 64 ? 32 : width);
        width = sample->code.width;
        sample->code.sub = width < 32 && next() % 2 ? 32 : 64;
    }
    for (int i = 0; i < 3; i++) {
        sample->operands[i] = draw_number(sample->code.op == OP_TRUNC ? 64 : width);
        sample->exact[i] = next() % 3 == 0;
    }
    bool by_number = sample->code.op >= OP_UDIV && sample->code.op <= OP_ASHR;
    sample->exact[1] = sample->exact[1] || (by_number && next() % 4 > 0);
    if ((sample->code.op == OP_UDIV || sample->code.op == OP_UREM) && sample->operands[1] == 0) {
        sample->operands[1] = 1;
    }
    if (sample->code.op == OP_SELECT) {
        sample->operands[0] &= 1;
    }
}

static void emit_store(struct builder *builder, uint64_t to) {
    builder_emit(builder,
                 (struct instruction){
                     .op = OP_STORE, .width = 8, .dst = NO_REGISTER, .a = builder_address(builder, to), .b = 0});
}

static void emit_samples(struct builder *builder, const void *data, uint64_t results) {
    const struct sample *samples = data;
    for (unsigned i = 0; i < CASES; i++) {
        struct instruction code = samples[i].code;
        code.dst = 0;
        code.a = builder_constant(builder, samples[i].operands[0]);
        code.b = op_table[code.op].shape[2] == 'r' ? builder_constant(builder, samples[i].operands[1]) : 0;
        code.c = op_table[code.op].shape[3] == 'r' ? builder_constant(builder, samples[i].operands[2]) : 0;
        builder_emit(builder, code);
        emit_store(builder, results + 8 * i);
    }
}

/* A machine that has executed what `emit` emits. */
static struct machine *run(struct program *program,
                           void (*emit)(struct builder *builder, const void *data, uint64_t results), const void *data,
                           uint64_t *results) {
    struct builder builder;
    builder_init(&builder);
    *results = builder_global_at(&builder, builder_global(&builder, "results", 8 * CASES, 8, 0))->address;
    builder.entry = builder_function(&builder, "start", 0, 0, 0);
    builder_begin(&builder, builder.entry);
    emit(&builder, data, *results);
    builder_emit(&builder, (struct instruction){.op = OP_EXIT, .dst = NO_REGISTER, .a = builder_constant(&builder, 0)});
    builder_end(&builder, 1);
    builder_finish(&builder, program);
    struct machine_options options = {.model = MODEL_SC};
    struct machine *machine = machine_new(program, &options);
    while (machine_outcome(machine) == OUTCOME_RUNNING) {
        machine_take(machine, (struct transition){0});
    }
    return machine;
}

static bool is_fresh(const struct solver *solver, struct term term) {
    for (size_t i = 0; i < solver->fresh.count; i++) {
        if (((struct term *)vector_at(&solver->fresh, i))->ast == term.ast && term.ast) {
            return true;
        }
    }
    return false;
}

/* The formula's value for the operands of the sample; false if there is none. */
static bool formula_value(struct solver *solver, const struct sample *sample, uint64_t *value) {
    struct term operands[3];
    Z3_ast fixed = solver_true(solver);
    for (int i = 0; i < 3; i++) {
        operands[i] = term_number(sample->operands[i]);
        if (!sample->exact[i]) {
            unsigned width = sample->code.op == OP_TRUNC ? 64 : sample->code.width;
            operands[i] = solver_variable(solver, "operand", 0, bits_mask(width));
            fixed = solver_and(solver, fixed, solver_equal(solver, operands[i], term_number(sample->operands[i])));
        }
    }
    struct term result = solver_operation(solver, &sample->code, operands[0], operands[1], operands[2]);
    if (is_fresh(solver, result)) {
        return false;
    }
    if (result.ast) {
        struct term name = solver_free(solver, "result");
        assert_int_equal(solver_ask(solver, solver_and(solver, fixed, solver_equal(solver, name, result)), "sample"),
                         ANSWER_YES);
        *value = solver_value(solver, name);
    } else {
        *value = result.number;
    }
    return true;
}

static void test_formulas(void **state) {
    (void)state;
    static struct sample samples[CASES];
    struct program program;
    struct limits limits = {0};
    struct solver solver;
    for (unsigned i = 0; i < CASES; i++) {
        draw(&samples[i]);
    }
    uint64_t results;
    struct machine *machine = run(&program, emit_samples, samples, &results);
    limits_start(&limits);
    assert_null(solver_init(&solver, &limits, NULL, NULL));
    unsigned compared = 0;
    for (unsigned i = 0; i < CASES; i++) {
        uint64_t formula;
        uint64_t wanted[2];
        assert_true(machine_peek(machine, results + 8 * i, 8, wanted));
        if (formula_value(&solver, &samples[i], &formula)) {
            compared++;
            if (formula != wanted[0]) {
                fail_msg("%s.%u sub %u of %llx, %llx, %llx: the machine has %llx, the formula %llx",
                         op_table[samples[i].code.op].text, samples[i].code.width, samples[i].code.sub,
                         (unsigned long long)samples[i].operands[0], (unsigned long long)samples[i].operands[1],
                         (unsigned long long)samples[i].operands[2], (unsigned long long)wanted[0],
                         (unsigned long long)formula);
            }
        }
    }
    fprintf(stderr, "%u of %u formulas are exact\n", compared, CASES);
    assert_true(compared > CASES / 2);
    solver_delete(&solver);
    machine_free(machine);
    program_delete(&program);
}

/* --- Indices ------------------------------------------------------------------------------------------------------ */

#define INDEX_STEPS 3

/* A number made longer, then changed by some numbers: as indices become addresses. */
struct index {
    uint64_t value;
    struct instruction codes[INDEX_STEPS]; /* `b`: the number, which is the first operand if `c` is not 0 */
    uint64_t numbers[INDEX_STEPS];
};

static void draw_index(struct index *index) {
    static const uint8_t ops[] = {OP_ADD, OP_ADD, OP_SUB, OP_MUL, OP_MUL, OP_SHL};
    uint8_t from = next() % 2 ? 32 : 16;
    uint8_t to = from == 16 && next() % 2 ? 32 : 64;
    *index = (struct index){.value = draw_number(from)};
    index->codes[0] = (struct instruction){.op = OP_SEXT, .width = from, .sub = to};
    for (int i = 1; i < INDEX_STEPS; i++) {
        uint8_t op = ops[next() % sizeof ops];
        to = next() % 6 ? to : 64;
        index->codes[i] = (struct instruction){.op = op, .width = to, .c = next() % 3 == 0};
        index->numbers[i] = op == OP_SHL || next() % 2 ? next() % 12 : draw_number(to);
    }
}

static void emit_indices(struct builder *builder, const void *data, uint64_t results) {
    const struct index *indices = data;
    for (unsigned i = 0; i < CASES; i++) {
        for (int k = 0; k < INDEX_STEPS; k++) {
            struct instruction code = indices[i].codes[k];
            bool first = code.c != 0 && code.op != OP_SHL;
            uint32_t number = builder_constant(builder, indices[i].numbers[k]);
            code.dst = 0;
            code.a = k == 0 ? builder_constant(builder, indices[i].value) : first ? number : 0;
            code.b = k == 0 ? 0 : first ? 0 : number;
            code.c = 0;
            builder_emit(builder, code);
        }
        emit_store(builder, results + 8 * i);
    }
}

static void test_indices(void **state) {
    (void)state;
    static struct index indices[CASES];
    struct program program;
    struct limits limits = {0};
    struct solver solver;
    uint64_t results;
    for (unsigned i = 0; i < CASES; i++) {
        draw_index(&indices[i]);
    }
    struct machine *machine = run(&program, emit_indices, indices, &results);
    limits_start(&limits);
    assert_null(solver_init(&solver, &limits, NULL, NULL));
    for (unsigned i = 0; i < CASES; i++) {
        uint64_t wanted[2];
        struct term name = solver_free(&solver, "result");
        struct term value = solver_variable(&solver, "index", 0, bits_mask(indices[i].codes[0].width));
        struct term term = value;
        for (int k = 0; k < INDEX_STEPS; k++) {
            struct instruction code = indices[i].codes[k];
            struct term number = term_number(indices[i].numbers[k]);
            bool first = code.c != 0 && code.op != OP_SHL;
            term = solver_operation(&solver, &code, first && k > 0 ? number : term, first ? term : number, number);
        }
        assert_true(machine_peek(machine, results + 8 * i, 8, wanted));
        Z3_ast fixed = solver_and(&solver, solver_equal(&solver, value, term_number(indices[i].value)),
                                  solver_equal(&solver, name, term));
        assert_int_equal(solver_ask(&solver, fixed, "index"), ANSWER_YES);
        if (solver_value(&solver, name) != wanted[0]) {
            fail_msg("index %u: the machine has %llx, the formula %llx", i, (unsigned long long)wanted[0],
                     (unsigned long long)solver_value(&solver, name));
        }
    }
    solver_delete(&solver);
    machine_free(machine);
    program_delete(&program);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_formulas), cmocka_unit_test(test_indices)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
