/* Whenever `prove` says that the store buffer adds no state, `brute` finds the same final states under SC and TSO.
 *
 *     unit_prove_agreement                    a fixed list of seeds, and the seeded defects
 *     unit_prove_agreement --from A --to B    only the programs of this range
 *
 * Errors count too: a program that has one under TSO has one under SC.  What `brute` cannot decide says nothing.  Each
 * of the seeded defects (prove/seed.h) must be noticed by the same comparison. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drawn_program.h"
#include "engine/brute.h"
#include "prove/prove.h"
#include "quiet_task.h"
#include "wide_program.h"

#define PROGRAMS 500
#define WIDE_PROGRAMS 150
#define SPINNING_PROGRAMS 150
#define MOST_FOR_SEEDS 1000
#define SECONDS 1

static uint64_t first_seed = 1;
static uint64_t last_seed = PROGRAMS;
static uint64_t last_wide_seed = WIDE_PROGRAMS;
static uint64_t last_spinning_seed = SPINNING_PROGRAMS;

struct tally {
    unsigned programs;
    unsigned with_pairs; /* proved, and some load can pass a store */
    unsigned idle;       /* proved with abstractions that only add waiting */
    unsigned proved;
    unsigned refused;
    unsigned undecided;
    unsigned needless; /* not proved, although no state is added */
    unsigned wrong;
};

static void run_brute(const struct program *program, enum memory_model model, bool spurious, struct verdict *verdict) {
    struct quiet_task quiet;
    struct task *task = quiet_task_init(&quiet, program, model);
    quiet.limits.until = limits_now() + SECONDS;
    task->machine.spurious = spurious;
    task->collect = COLLECT_STATES;
    verdict_init(verdict);
    engine_run(&engine_brute, task, verdict);
}

/* Does the store buffer add a final state, or an error? */
static bool adds_state(const struct program *program, bool spurious, struct tally *tally) {
    struct verdict sc;
    struct verdict tso;
    run_brute(program, MODEL_SC, spurious, &sc);
    run_brute(program, MODEL_TSO, spurious, &tso);
    bool adds = false;
    if (sc.word == VERDICT_UNDECIDED || tso.word == VERDICT_UNDECIDED) {
        tally->undecided++;
    } else {
        adds = sc.word != tso.word || (sc.word == VERDICT_SAFE && sc.collected.states != tso.collected.states);
    }
    verdict_delete(&sc);
    verdict_delete(&tso);
    return adds;
}

/* Does the store buffer add a trace? */
static bool adds_trace(const struct program *program) {
    struct verdict verdicts[2];
    for (int i = 0; i < 2; i++) {
        struct quiet_task quiet;
        struct task *task = quiet_task_init(&quiet, program, i == 0 ? MODEL_SC : MODEL_TSO);
        quiet.limits.until = limits_now() + SECONDS;
        task->collect = COLLECT_TRACES;
        verdict_init(&verdicts[i]);
        engine_run(&engine_brute, task, &verdicts[i]);
    }
    bool adds = verdicts[0].word == VERDICT_SAFE && verdicts[1].word == VERDICT_SAFE &&
                verdicts[0].collected.digest != verdicts[1].collected.digest;
    adds = adds || (verdicts[0].word == VERDICT_SAFE && verdicts[1].word == VERDICT_VIOLATION);
    verdict_delete(&verdicts[0]);
    verdict_delete(&verdicts[1]);
    return adds;
}

static enum proof_word prove(const struct program *program, bool spurious, enum prove_seed seed, bool no_facts,
                             size_t *pairs, uint32_t *idle) {
    struct quiet_task quiet;
    struct task *task = quiet_task_init(&quiet, program, MODEL_TSO);
    struct prove_options options = {.seed = seed,
                                    .no_facts = no_facts,
                                    .no_abstractions = !no_facts || (seed != SEED_NONE && seed != SEED_ALL_IDLE)};
    struct proof proof;
    task->machine.spurious = spurious;
    proof_init(&proof, task, &options);
    enum proof_word word = proof.word;
    *pairs = proof.pairs.count;
    *idle = proof.idle;
    proof_delete(&proof);
    return word;
}

/* True if the proof is right. */
static bool compare(const struct program *program, bool spurious, enum prove_seed seed, struct tally *tally) {
    size_t pairs;
    uint32_t idle;
    /* Facts take time: they are found for some programs only. */
    bool no_facts = seed != SEED_NONE || tally->programs % 8 != 0;
    enum proof_word word = prove(program, spurious, seed, no_facts, &pairs, &idle);
    tally->programs++;
    tally->refused += word == PROOF_REFUSED;
    tally->proved += word == PROOF_HOLDS;
    tally->with_pairs += word == PROOF_HOLDS && pairs > 0;
    tally->idle += word == PROOF_HOLDS && idle > 0;
    if (word != PROOF_FAILS && word != PROOF_HOLDS) {
        return true;
    }
    bool adds = adds_state(program, spurious, tally);
    bool wrong = word == PROOF_HOLDS && adds;
    tally->needless += word == PROOF_FAILS && !adds;
    tally->wrong += wrong;
    return !wrong;
}

static bool compare_drawn(const struct drawn_program *drawn, enum prove_seed seed, struct tally *tally) {
    struct program program;
    drawn_build(drawn, &program);
    bool right = compare(&program, false, seed, tally);
    program_delete(&program);
    return right;
}

static bool is_right(const struct drawn_program *drawn, void *data) {
    struct tally unused = {0};
    return compare_drawn(drawn, *(enum prove_seed *)data, &unused);
}

static void print_smallest(const struct drawn_program *drawn, enum prove_seed seed) {
    drawn_print_smallest(*drawn, is_right, &seed, stderr);
}

static void print_tally(const char *name, const struct tally *tally) {
    fprintf(stderr,
            "%s: %u programs, %u proved, %u of them with pairs, %u by waiting, %u refused, %u undecided; %u not proved "
            "without need, %u wrong\n",
            name, tally->programs, tally->proved, tally->with_pairs, tally->idle, tally->refused, tally->undecided,
            tally->needless, tally->wrong);
}

static void test_drawn(void **state) {
    (void)state;
    struct tally tally = {0};
    for (uint64_t seed = first_seed; seed <= last_seed; seed++) {
        struct drawn_program drawn;
        drawn_draw(&drawn, seed);
        if (!compare_drawn(&drawn, SEED_NONE, &tally)) {
            print_smallest(&drawn, SEED_NONE);
        }
    }
    print_tally("drawn", &tally);
    assert_int_equal(tally.wrong, 0);
    assert_true(tally.with_pairs > 0);
}

/* Loops that wait: abstractions that are found must add no state. */
static void test_spinning(void **state) {
    (void)state;
    struct tally tally = {0};
    for (uint64_t seed = first_seed; seed <= last_spinning_seed; seed++) {
        struct drawn_program drawn;
        drawn_draw(&drawn, seed);
        drawn_spin(&drawn, seed);
        if (!compare_drawn(&drawn, SEED_NONE, &tally)) {
            print_smallest(&drawn, SEED_NONE);
        }
    }
    print_tally("spinning", &tally);
    assert_int_equal(tally.wrong, 0);
    assert_true(tally.idle > 0);
}

/* With conflicts by place: the traces under TSO are those under SC. */
static void test_robust(void **state) {
    (void)state;
    unsigned robust = 0;
    unsigned wrong = 0;
    for (uint64_t seed = first_seed; seed <= last_seed; seed++) {
        struct drawn_program drawn;
        struct program program;
        struct quiet_task quiet;
        struct proof proof;
        struct prove_options options = {.by_place = true, .no_facts = seed % 16 != 0};
        drawn_draw(&drawn, seed);
        drawn_build(&drawn, &program);
        proof_init(&proof, quiet_task_init(&quiet, &program, MODEL_TSO), &options);
        if (proof.word == PROOF_HOLDS && proof.pairs.count > 0) {
            robust++;
            if (adds_trace(&program)) {
                drawn_print(&drawn, stderr);
                wrong++;
            }
        }
        proof_delete(&proof);
        program_delete(&program);
    }
    fprintf(stderr, "%u programs with pairs are robust, %u wrong\n", robust, wrong);
    assert_true(robust > 0);
    assert_int_equal(wrong, 0);
}

static void test_wide(void **state) {
    (void)state;
    struct tally tally = {0};
    for (uint64_t seed = first_seed; seed <= last_wide_seed; seed++) {
        struct wide_program wide;
        struct program program;
        wide_draw(&wide, seed, WIDE_ALL);
        wide_build(&wide, &program);
        if (!compare(&program, wide.spurious, SEED_NONE, &tally)) {
            wide_print(&wide, stderr);
        }
        program_delete(&program);
    }
    print_tally("wide", &tally);
    assert_int_equal(tally.wrong, 0);
}

static void test_seeds(void **state) {
    (void)state;
    for (int seed = SEED_NONE + 1; seed < SEED_OF_ASSERTIONS; seed++) {
        struct tally tally = {0};
        uint64_t number = 1;
        for (; number <= MOST_FOR_SEEDS && tally.wrong == 0; number++) {
            struct drawn_program drawn;
            drawn_draw(&drawn, number);
            if (seed == SEED_ALL_IDLE) {
                drawn_spin(&drawn, number);
            }
            if (!compare_drawn(&drawn, (enum prove_seed)seed, &tally)) {
                print_smallest(&drawn, (enum prove_seed)seed);
            }
        }
        fprintf(stderr, "%s: noticed by program %llu\n", prove_seed_names[seed], (unsigned long long)number - 1);
        assert_true(tally.wrong > 0);
    }
}

int main(int count, char **arguments) {
    const struct CMUnitTest ranges[] = {cmocka_unit_test(test_drawn), cmocka_unit_test(test_robust),
                                        cmocka_unit_test(test_spinning), cmocka_unit_test(test_wide)};
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_drawn), cmocka_unit_test(test_robust),
                                       cmocka_unit_test(test_spinning), cmocka_unit_test(test_wide),
                                       cmocka_unit_test(test_seeds)};
    if (count == 5 && strcmp(arguments[1], "--from") == 0 && strcmp(arguments[3], "--to") == 0) {
        first_seed = strtoull(arguments[2], NULL, 10);
        last_seed = last_wide_seed = last_spinning_seed = strtoull(arguments[4], NULL, 10);
        return cmocka_run_group_tests(ranges, NULL, NULL);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
