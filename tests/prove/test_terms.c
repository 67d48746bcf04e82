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

static uint64_t build(const struct sample *samples, struct program *program) {
    struct builder builder;
    builder_init(&builder);
    uint64_t results = builder_global_at(&builder, builder_global(&builder, "results", 8 * CASES, 8, 0))->address;
    builder.entry = builder_function(&builder, "start", 0, 0, 0);
    builder_begin(&builder, builder.entry);
    for (unsigned i = 0; i < CASES; i++) {
        struct instruction code = samples[i].code;
        code.dst = 0;
        code.a = builder_constant(&builder, samples[i].operands[0]);
        code.b = op_table[code.op].shape[2] == 'r' ? builder_constant(&builder, samples[i].operands[1]) : 0;
        code.c = op_table[code.op].shape[3] == 'r' ? builder_constant(&builder, samples[i].operands[2]) : 0;
        builder_emit(&builder, code);
        builder_emit(&builder, (struct instruction){.op = OP_STORE,
                                                    .width = 8,
                                                    .dst = NO_REGISTER,
                                                    .a = builder_address(&builder, results + 8 * i),
                                                    .b = 0});
    }
    builder_emit(&builder, (struct instruction){.op = OP_EXIT, .dst = NO_REGISTER, .a = builder_constant(&builder, 0)});
    builder_end(&builder, 1);
    builder_finish(&builder, program);
    return results;
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
    uint64_t results = build(samples, &program);
    struct machine_options options = {.model = MODEL_SC};
    struct machine *machine = machine_new(&program, &options);
    while (machine_outcome(machine) == OUTCOME_RUNNING) {
        machine_take(machine, (struct transition){0});
    }
    limits_start(&limits);
    assert_null(solver_init(&solver, &limits, NULL));
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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_formulas)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
