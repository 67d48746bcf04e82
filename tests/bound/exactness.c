/* The translation to SC is exact: of generated programs, the final shared states of the translated program under SC are
 * those of the program under TSO within the bound, no more and no less.
 *
 *     unit_bound_N                    the Nth part of the fixed list of seeds
 *     unit_bound_N SEED...            only these programs
 *     unit_bound_N --from A --to B    only the programs of this range
 *     unit_bound_N --programs FILE... programs saved by `picket show --save`
 *
 * Both sets come from `brute`: once on the translated program, and once on the program itself, where it leaves out
 * every transition that the bound does not allow.  Rounds and age, K = 1, 2, 3 each (and age 0, which must be SC); in
 * the fixed list every program has one bound of rounds and one of age, by turns.  A
 * program that has an error within the bound must have it in its translation too, and the other way round; deadlocks,
 * which are not preserved, apart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bound/bound.h"
#include "engine/brute.h"
#include "part.h"
#include "quiet_task.h"
#include "wide_program.h"

#define PROGRAMS 1200
#define FEATURES WIDE_ALL

static void run_brute(const struct program *program, struct machine_options machine, struct restriction restriction,
                      size_t shared_globals, struct verdict *verdict) {
    struct quiet_task quiet;
    struct task *task = quiet_task_init(&quiet, program, machine.model);
    task->machine = machine;
    task->collect = COLLECT_STATES;
    task->restriction = restriction;
    struct brute_options brute = {.deadlocks_pass = true, .shared_globals = shared_globals};
    task_give(task, &engine_brute, &brute.common);
    verdict_init(verdict);
    engine_brute.run(task, verdict);
}

static void print_verdict(const char *name, const struct verdict *verdict) {
    static const char *const words[] = {"safe", "violation", "undecided", "defect"};
    fprintf(stderr, "  %s: %s %s%s, %llu states, %zu final\n", name, words[verdict->word], verdict->reason,
            verdict->word == VERDICT_VIOLATION ? verdict->error.message : "", (unsigned long long)verdict->states,
            verdict->collected.texts.count);
    for (size_t i = 0; i < verdict->collected.texts.count; i++) {
        fprintf(stderr, "    %s\n", *(char **)vector_at(&verdict->collected.texts, i));
    }
}

/* 1 if the program is exact within the bound, 0 if not, -1 if that cannot be told. */
static int is_exact(const struct program *program, bool spurious, enum bound_kind kind, uint32_t bound, bool loud) {
    struct bound_options options = {.kind = kind, .bound = bound, .copies = 16, .spurious = spurious};
    struct diagnostics diagnostics;
    struct program translated;
    diagnostics_init(&diagnostics);
    if (!bound_translate(program, &options, &translated, &diagnostics)) {
        diagnostics_delete(&diagnostics);
        return -1;
    }
    diagnostics_delete(&diagnostics);
    struct verdict reference;
    struct verdict sc;
    run_brute(program, (struct machine_options){.model = MODEL_TSO, .spurious = spurious},
              (struct restriction){kind == BOUND_ROUNDS ? RESTRICTION_ROUNDS : RESTRICTION_AGE, bound}, 0, &reference);
    int result = -1;
    if (reference.word != VERDICT_UNDECIDED) {
        run_brute(&translated, (struct machine_options){.model = MODEL_SC}, (struct restriction){0},
                  program->globals_count, &sc);
        if (sc.word != VERDICT_UNDECIDED) {
            result = reference.word == sc.word &&
                     (reference.word != VERDICT_SAFE || reference.collected.states == sc.collected.states);
        }
        if (loud) {
            print_verdict("TSO", &reference);
            print_verdict("translated", &sc);
        }
        verdict_delete(&sc);
    }
    verdict_delete(&reference);
    program_delete(&translated);
    return result;
}

struct tally {
    unsigned exact;
    unsigned untold;
};

static const struct {
    enum bound_kind kind;
    uint32_t bound;
} bounds[] = {{BOUND_ROUNDS, 1}, {BOUND_ROUNDS, 2}, {BOUND_ROUNDS, 3}, {BOUND_AGE, 0},
              {BOUND_AGE, 1},    {BOUND_AGE, 2},    {BOUND_AGE, 3}};

#define ALL_BOUNDS UINT32_MAX

/* `which` has a bit for each of the bounds to be tried. */
static bool check_program(const struct program *program, bool spurious, const char *name, uint32_t which,
                          struct tally *tally, bool loud) {
    bool good = true;
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        if (!(which >> i & 1)) {
            continue;
        }
        int result = is_exact(program, spurious, bounds[i].kind, bounds[i].bound, loud);
        tally->exact += result == 1;
        tally->untold += result < 0;
        if (result == 0) {
            good = false;
            if (loud) {
                fprintf(stderr, "%s, %s %u: not exact\n", name, bounds[i].kind == BOUND_ROUNDS ? "rounds" : "age",
                        bounds[i].bound);
            }
            break;
        }
    }
    return good;
}

static bool check_wide(const struct wide_program *wide, uint32_t which, struct tally *tally, bool loud) {
    struct program program;
    char name[40];
    snprintf(name, sizeof name, "seed %llu", (unsigned long long)wide->seed);
    wide_build(wide, &program);
    bool good = check_program(&program, wide->spurious, name, which, tally, loud);
    program_delete(&program);
    return good;
}

/* Programs saved by `picket show --save`. */
static int check_files(int count, char **files) {
    int bad = 0;
    struct tally tally = {0};
    for (int i = 0; i < count; i++) {
        struct program program;
        const char *problem = program_load(&program, files[i]);
        if (problem) {
            fprintf(stderr, "%s: %s\n", files[i], problem);
            return 2;
        }
        if (!check_program(&program, false, files[i], ALL_BOUNDS, &tally, false)) {
            check_program(&program, false, files[i], ALL_BOUNDS, &tally, true);
            bad++;
        }
        program_delete(&program);
    }
    printf("%u bounds exact, %u not told, %d programs not exact\n", tally.exact, tally.untold, bad);
    return bad > 0;
}

static void minimise(struct wide_program *wide, uint32_t which) {
    bool changed = true;
    struct tally tally = {0};
    while (changed) {
        changed = false;
        for (unsigned change = 0; change < wide_changes(wide); change++) {
            struct wide_program smaller = *wide;
            if (wide_change(&smaller, change) && !check_wide(&smaller, which, &tally, false)) {
                *wide = smaller;
                changed = true;
                break;
            }
        }
    }
}

/* All bounds, or one of rounds and one of age by turns. */
static unsigned check_range(uint64_t from, uint64_t to, bool all) {
    unsigned bad = 0;
    struct tally tally = {0};
    for (uint64_t seed = from; seed < to; seed++) {
        struct wide_program wide;
        uint32_t which = all ? ALL_BOUNDS : 1u << seed % 3 | 8u << seed / 3 % 4;
        wide_draw(&wide, seed, FEATURES);
        if (!check_wide(&wide, which, &tally, false)) {
            bad++;
            minimise(&wide, which);
            wide_print(&wide, stderr);
            check_wide(&wide, which, &tally, true);
        }
    }
    fprintf(stderr, "programs %llu to %llu: %u bounds exact, %u not told, %u programs not exact\n",
            (unsigned long long)from, (unsigned long long)to, tally.exact, tally.untold, bad);
    return bad;
}

static void generated_programs_are_exact(void **state) {
    (void)state;
    assert_int_equal(check_range(part_first(PROGRAMS), part_last(PROGRAMS) + 1, false), 0);
}

/* --- The size of the result --------------------------------------------------------------------------------------- */

struct size {
    uint64_t code;
    uint64_t variables; /* bytes */
};

static struct size translated_size(const struct program *program, enum bound_kind kind, uint32_t bound) {
    struct bound_options options = {.kind = kind, .bound = bound};
    struct diagnostics diagnostics;
    struct program translated;
    diagnostics_init(&diagnostics);
    assert_true(bound_translate(program, &options, &translated, &diagnostics));
    diagnostics_delete(&diagnostics);
    struct size size = {.code = translated.code_count};
    for (size_t g = program->globals_count; g < translated.globals_count; g++) {
        size.variables += translated.globals[g].size;
    }
    program_delete(&translated);
    return size;
}

/* Code does not depend on the bound, variables are linear in it. */
static void size_is_linear_in_the_bound(void **state) {
    (void)state;
    struct wide_program wide;
    struct program program;
    wide_draw(&wide, 1, FEATURES);
    wide_build(&wide, &program);
    for (int kind = BOUND_ROUNDS; kind <= BOUND_AGE; kind++) {
        struct size one = translated_size(&program, (enum bound_kind)kind, 1);
        struct size two = translated_size(&program, (enum bound_kind)kind, 2);
        for (uint32_t bound = 3; bound <= 8; bound++) {
            struct size size = translated_size(&program, (enum bound_kind)kind, bound);
            assert_int_equal(size.code, one.code);
            assert_int_equal(size.variables, one.variables + (bound - 1) * (two.variables - one.variables));
        }
    }
    program_delete(&program);
}

int main(int argc, char **argv) {
    if (argc == 5 && strcmp(argv[1], "--from") == 0 && strcmp(argv[3], "--to") == 0) {
        return check_range(strtoull(argv[2], NULL, 10), strtoull(argv[4], NULL, 10), true) > 0;
    }
    if (argc > 1 && strcmp(argv[1], "--programs") == 0) {
        return check_files(argc - 2, argv + 2);
    }
    if (argc > 1) {
        unsigned bad = 0;
        for (int i = 1; i < argc; i++) {
            uint64_t seed = strtoull(argv[i], NULL, 10);
            struct wide_program wide;
            struct tally tally = {0};
            wide_draw(&wide, seed, FEATURES);
            wide_print(&wide, stderr);
            bad += !check_wide(&wide, ALL_BOUNDS, &tally, true);
        }
        return bad > 0;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(generated_programs_are_exact),
                                       cmocka_unit_test(size_is_linear_in_the_bound)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
