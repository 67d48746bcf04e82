/* Generated programs on which `switches` must agree with `brute`: on the verdict, with and without a bound on context
 * switches, and on the number of them that an error needs.  `brute` keeps to executions within a bound, so it knows
 * whether one fewer would do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "engine/brute.h"
#include "engine/switches.h"
#include "quiet_task.h"
#include "wide_program.h"

#define PROGRAMS 250
#define FEW 2 /* context switches */
#define SECONDS 5
#define MEGABYTES 1000

#define NO_BOUND UINT32_MAX

static void run_engine(const struct engine *engine, const struct wide_program *wide, const struct program *program,
                       enum memory_model model, uint32_t bound, struct verdict *verdict) {
    struct quiet_task quiet;
    struct task *task = quiet_task_init(&quiet, program, model);
    quiet.limits.until = limits_now() + SECONDS;
    quiet.limits.memory_mb = MEGABYTES;
    task->machine.spurious = wide->spurious;
    if (bound != NO_BOUND) {
        task->restriction = (struct restriction){RESTRICTION_SWITCHES, bound};
    }
    verdict_init(verdict);
    engine_run(engine, task, verdict);
}

static enum verdict_word word_of(const struct engine *engine, const struct wide_program *wide,
                                 const struct program *program, enum memory_model model, uint32_t bound) {
    struct verdict verdict;
    run_engine(engine, wide, program, model, bound, &verdict);
    enum verdict_word word = verdict.word;
    verdict_delete(&verdict);
    return word;
}

static uint32_t switches_of(const struct witness *witness) {
    uint32_t switches = 0;
    for (size_t i = 1; i < witness->steps.count; i++) {
        const struct witness_step *step = vector_at(&witness->steps, i);
        const struct witness_step *before = vector_at(&witness->steps, i - 1);
        switches += step->thread != before->thread;
    }
    return switches;
}

/* What is wrong, NULL: nothing.  `met` counts errors. */
static const char *problem_of(const struct wide_program *wide, const struct program *program, enum memory_model model,
                              unsigned *met) {
    struct verdict found;
    enum verdict_word wanted = word_of(&engine_brute, wide, program, model, NO_BOUND);
    run_engine(&engine_switches, wide, program, model, NO_BOUND, &found);
    uint32_t needed = switches_of(&found.witness);
    enum verdict_word word = found.word;
    verdict_delete(&found);
    if (wanted == VERDICT_UNDECIDED || word == VERDICT_UNDECIDED) {
        return NULL;
    }
    if (word != wanted) {
        return "verdicts";
    }
    if (word_of(&engine_switches, wide, program, model, FEW) != word_of(&engine_brute, wide, program, model, FEW)) {
        return "verdicts within a bound";
    }
    if (word != VERDICT_VIOLATION) {
        return NULL;
    }
    ++*met;
    if (word_of(&engine_brute, wide, program, model, needed) != VERDICT_VIOLATION) {
        return "fewer switches than are needed";
    }
    return needed > 0 && word_of(&engine_brute, wide, program, model, needed - 1) == VERDICT_VIOLATION
               ? "more switches than are needed"
               : NULL;
}

static void switches_agrees_with_brute(void **state) {
    (void)state;
    unsigned failures = 0;
    unsigned met = 0;
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
        struct wide_program wide;
        struct program program;
        wide_draw(&wide, seed, WIDE_ALL);
        wide_build(&wide, &program);
        for (int model = 0; model < MODEL_COUNT; model++) {
            const char *problem = problem_of(&wide, &program, (enum memory_model)model, &met);
            if (problem) {
                failures++;
                fprintf(stderr, "seed %llu, model %s: %s\n", (unsigned long long)seed, model_names[model], problem);
            }
        }
        program_delete(&program);
    }
    printf("seeds 1 to %d, %u errors\n", PROGRAMS, met);
    assert_int_equal(failures, 0);
    assert_true(met > PROGRAMS / 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(switches_agrees_with_brute)};
    return cmocka_run_group_tests_name("switches", tests, NULL, NULL);
}
