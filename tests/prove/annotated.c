/* What `prove` says of annotated programs, held against `brute`.
 *
 *     unit_prove_annotated                    a fixed list of seeds, and engines with a defect
 *     unit_prove_annotated --from A --to B    only the programs of this range
 *
 * Whenever everything is proved: the program has no error under TSO; the abstracted program keeps its claims and
 * assertions under SC; every final state under TSO is one of the abstracted program under SC.  Whenever no state is
 * added and nothing is abstracted, final states and errors are the same under both.  What `brute` cannot decide says
 * nothing. */
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
#include "ir/flatten.h"
#include "ir/notes.h"
#include "ir/passes.h"
#include "prove/prove.h"
#include "quiet_task.h"
#include "util/hash_table.h"

#define PROGRAMS 200
#define ARRAY_PROGRAMS 40
#define MOST_FOR_SEEDS 3000
#define SECONDS 5

static uint64_t first_seed = 1;
static uint64_t last_seed = PROGRAMS;
static uint64_t last_array_seed = ARRAY_PROGRAMS;

struct tally {
    unsigned programs;
    unsigned proved;
    unsigned abstracted; /* of those, with an abstraction */
    unsigned claimed;    /* of those, with a claim */
    unsigned asserted;
    unsigned silent; /* not all is proved, but no state is added */
    unsigned refused;
    unsigned undecided;
    unsigned wrong;
};

struct states {
    struct hash_table *set;
    uint8_t *buffer;
    size_t capacity;
};

static bool remember(void *data, struct machine *machine) {
    struct states *states = data;
    size_t size = machine_serialise_shared(machine, &states->buffer, &states->capacity);
    hash_table_slot(states->set, states->buffer, size, NULL);
    return false;
}

static bool is_new(void *data, struct machine *machine) {
    struct states *states = data;
    size_t size = machine_serialise_shared(machine, &states->buffer, &states->capacity);
    return hash_table_find(states->set, states->buffer, size) == NULL;
}

/* The verdict of `brute`; with `unwanted`, also on final states. */
static enum verdict_word run_brute(const struct program *program, enum memory_model model,
                                   bool (*unwanted)(void *, struct machine *), struct states *states) {
    struct quiet_task quiet;
    struct verdict verdict;
    struct task *task = quiet_task_init(&quiet, program, model);
    quiet.limits.until = limits_now() + SECONDS;
    task->collect = unwanted ? COLLECT_STATES : COLLECT_NOTHING;
    struct brute_options brute = {.unwanted = unwanted, .unwanted_data = states};
    task_give(task, &engine_brute, &brute.common);
    verdict_init(&verdict);
    engine_run(&engine_brute, task, &verdict);
    enum verdict_word word = verdict.bounded ? VERDICT_UNDECIDED : verdict.word;
    verdict_delete(&verdict);
    return word;
}

/* Has `one` under its model a final state, or an error, that `other` does not have under SC? */
static bool adds(const struct program *one, enum memory_model model, const struct program *other, struct tally *tally) {
    struct states states = {.set = hash_table_new()};
    enum verdict_word sc = run_brute(other, MODEL_SC, remember, &states);
    bool more = false;
    if (sc == VERDICT_SAFE) {
        enum verdict_word word = run_brute(one, model, is_new, &states);
        more = word == VERDICT_VIOLATION;
        tally->undecided += word == VERDICT_UNDECIDED;
    } else {
        tally->undecided += sc == VERDICT_UNDECIDED;
    }
    hash_table_free(states.set);
    free(states.buffer);
    return more;
}

static void make(const struct program *program, bool claims, bool abstractions, struct program *form) {
    program_copy(program, form);
    pass_notes_apply(form, claims, abstractions);
    pass_simplify(form);
}

/* Is something wrong with what was proved? */
static bool is_wrong(const struct program *program, const struct proof *proof, struct tally *tally) {
    struct program plain;
    struct program checked;
    struct program abstracted;
    make(program, false, false, &plain);
    make(program, true, true, &checked);
    make(program, false, true, &abstracted);
    bool wrong = false;
    if (proof->word == PROOF_HOLDS && proof->assertions + proof->claims > 0) {
        wrong = run_brute(&plain, MODEL_TSO, NULL, NULL) == VERDICT_VIOLATION ||
                run_brute(&checked, MODEL_SC, NULL, NULL) == VERDICT_VIOLATION;
    }
    if (proof->word == PROOF_HOLDS && proof->found == proof->idle) {
        wrong = wrong || adds(&plain, MODEL_TSO, &abstracted, tally);
    }
    if (!proof->adds_state && proof->abstractions.count == proof->idle) {
        wrong = wrong || adds(&plain, MODEL_TSO, &plain, tally);
    }
    program_delete(&plain);
    program_delete(&checked);
    program_delete(&abstracted);
    return wrong;
}

static bool compare(const struct drawn_program *drawn, enum prove_seed seed, struct tally *tally) {
    struct program program;
    struct quiet_task quiet;
    struct proof proof;
    /* Facts take time: they are found for some programs only. */
    bool no_facts = seed != SEED_NONE || drawn->seed % 4 != 0;
    struct prove_options options = {
        .seed = seed, .no_facts = no_facts, .no_abstractions = seed != SEED_NONE || !no_facts};
    drawn_build(drawn, &program);
    proof_init(&proof, quiet_task_init(&quiet, &program, MODEL_TSO), &options);
    bool holds = proof.word == PROOF_HOLDS;
    tally->programs++;
    tally->proved += holds;
    tally->abstracted += holds && proof.abstractions.count > 0;
    tally->claimed += holds && proof.claims > 0;
    tally->asserted += holds && proof.assertions > 0;
    tally->silent += !holds && !proof.adds_state;
    tally->refused += proof.word == PROOF_REFUSED;
    bool wrong = is_wrong(&program, &proof, tally);
    tally->wrong += wrong;
    proof_delete(&proof);
    program_delete(&program);
    return !wrong;
}

static bool is_right(const struct drawn_program *drawn, void *data) {
    struct tally unused = {0};
    return compare(drawn, *(enum prove_seed *)data, &unused);
}

static void print_smallest(const struct drawn_program *drawn, enum prove_seed seed) {
    drawn_print_smallest(*drawn, is_right, &seed, stderr);
}

static void run(const char *what, void (*draw)(struct drawn_program *drawn, uint64_t seed), uint64_t last,
                struct tally *tally) {
    for (uint64_t seed = first_seed; seed <= last; seed++) {
        struct drawn_program drawn;
        drawn_draw(&drawn, seed);
        draw(&drawn, seed);
        if (!compare(&drawn, SEED_NONE, tally)) {
            print_smallest(&drawn, SEED_NONE);
        }
    }
    fprintf(stderr,
            "%s: %u programs, %u proved (%u with abstractions, %u with claims, %u with assertions), %u in part, "
            "%u refused, %u undecided, %u wrong\n",
            what, tally->programs, tally->proved, tally->abstracted, tally->claimed, tally->asserted, tally->silent,
            tally->refused, tally->undecided, tally->wrong);
    assert_int_equal(tally->wrong, 0);
    assert_true(tally->asserted > 0);
}

static void test_annotated(void **state) {
    (void)state;
    struct tally tally = {0};
    run("annotated", drawn_annotate, last_seed, &tally);
    assert_true(tally.abstracted > 0);
    assert_true(tally.claimed > 0);
}

static void test_arrays(void **state) {
    (void)state;
    struct tally tally = {0};
    run("arrays", drawn_index, last_array_seed, &tally);
}

static void test_seeds(void **state) {
    (void)state;
    for (int seed = SEED_OF_ASSERTIONS; seed < SEED_OF_FACTS; seed++) {
        struct tally tally = {0};
        uint64_t number = 1;
        for (; number <= MOST_FOR_SEEDS && tally.wrong == 0; number++) {
            struct drawn_program drawn;
            drawn_draw(&drawn, number);
            drawn_annotate(&drawn, number);
            if (!compare(&drawn, (enum prove_seed)seed, &tally)) {
                print_smallest(&drawn, (enum prove_seed)seed);
            }
        }
        fprintf(stderr, "%s: noticed by program %llu\n", prove_seed_names[seed], (unsigned long long)number - 1);
        assert_true(tally.wrong > 0);
    }
}

int main(int count, char **arguments) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_annotated), cmocka_unit_test(test_arrays),
                                       cmocka_unit_test(test_seeds)};
    const struct CMUnitTest range[] = {cmocka_unit_test(test_annotated), cmocka_unit_test(test_arrays)};
    if (count == 5 && strcmp(arguments[1], "--from") == 0 && strcmp(arguments[3], "--to") == 0) {
        first_seed = strtoull(arguments[2], NULL, 10);
        last_seed = last_array_seed = strtoull(arguments[4], NULL, 10);
        return cmocka_run_group_tests(range, NULL, NULL);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
