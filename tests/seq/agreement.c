/* Generated programs on which `seq` must agree with `brute`.
 *
 *     unit_seq_agreement_N                    the Nth part of the fixed list of seeds, programs of all kinds
 *     unit_seq_buffered_N                     likewise, programs that depend on store buffers
 *     unit_seq_rounds_N                       programs that depend on store buffers, the encoding `rounds` alone
 *     unit_seq_... --from A --to B            only the programs of this range
 *     unit_seq_... --from A --to B --by K     every Kth of them: topics follow each other by seed
 *
 * For every program and every model both find an error or none; every alarm has been replayed.  Of programs without an
 * error the sets of final states are equal, and either both engines name the assumption that uninitialised memory is 0,
 * or none does.  What `brute` cannot decide within its limits, and what `seq` refuses, says
 * nothing; how many those are is printed.  A program that differs is made smaller before it is printed.
 *
 * A program depends on store buffers if its verdict or its final states under TSO or PSO are not those under SC.  How
 * many do is printed, and of those that are drawn for it, at least half must. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/brute.h"
#include "part.h"
#include "quiet_task.h"
#include "seq/seq.h"
#include "wide_program.h"

#define SECONDS 10 /* of one engine on one program */
#define MEGABYTES 1500
#ifndef ROUNDS
#define ROUNDS false
#endif
#ifndef BUFFERED
#define BUFFERED false
#endif
#define PROGRAMS (ROUNDS ? 240 : BUFFERED ? 800 : 400)

static uint64_t first_seed;
static uint64_t last_seed;
static uint64_t seed_step = 1;
static bool whole_part = true; /* the seeds of this part, not others */

struct tally {
    unsigned agree;
    unsigned refused;
    unsigned undecided;
    unsigned differ;
    unsigned violations;
    unsigned programs;
    unsigned by_tso; /* programs that TSO makes different from SC */
    unsigned by_pso;
    unsigned by_either;
};

static void draw_program(struct wide_program *wide, uint64_t seed) {
    if (BUFFERED) {
        buffered_draw(wide, seed);
    } else {
        wide_draw(wide, seed, WIDE_ALL);
    }
}

/* At most this many steps of threads and drains of stores can be noticed by other threads, which is how many rounds can
 * be needed: one for each. */
static uint32_t steps_of(const struct wide_program *wide) {
    uint32_t steps = 0;
    for (unsigned t = 0; t < wide->threads; t++) {
        steps += 2; /* its creation and its end */
        for (unsigned i = 0; i < wide->counts[t]; i++) {
            const struct wide_operation *operation = &wide->operations[t][i];
            bool several = operation->kind == WIDE_SYNC && operation->sync >= SYNC_COUNT;
            bool checked = operation->kind == WIDE_STORE || operation->kind == WIDE_FREE;
            steps += several ? 3 : 1;
            steps += checked || wide->stale || operation->address == WIDE_AT_POINTER;
        }
    }
    return steps;
}

static void run_engine(const struct engine *engine, const struct wide_program *wide, const struct program *program,
                       enum memory_model model, struct verdict *verdict) {
    struct quiet_task quiet;
    struct task *task = quiet_task_init(&quiet, program, model);
    quiet.limits.until = limits_now() + SECONDS;
    quiet.limits.memory_mb = MEGABYTES;
    task->machine.spurious = wide->spurious;
    task->machine.checks = wide->stale ? CHECK_FOR_STALE : 0;
    task->collect = COLLECT_STATES;
    verdict_init(verdict);
    if (ROUNDS && engine == &engine_seq) {
        task->restriction = (struct restriction){RESTRICTION_ROUNDS, steps_of(wide)};
    }
    engine_run(engine, task, verdict);
}

/* More time may give an answer.  That every execution fails an assumption is one. */
static bool is_open(const struct verdict *verdict) {
    return verdict->word == VERDICT_UNDECIDED && !verdict->settled;
}

static bool same_answer(const struct verdict *one, const struct verdict *other) {
    return one->word == other->word && (one->word != VERDICT_SAFE || one->collected.states == other->collected.states);
}

static bool rests_on_unset(const struct verdict *verdict) {
    for (size_t i = 0; i < verdict->assumptions.count; i++) {
        const struct assumed *assumed = vector_at(&verdict->assumptions, i);
        if (assumed->kind == ASSUMPTION_UNINITIALISED) {
            return true;
        }
    }
    return false;
}

/* `rounds` alone may name the assumption where no execution meets it. */
static bool same_assumption(const struct verdict *brute, const struct verdict *seq) {
    return brute->word != VERDICT_SAFE || rests_on_unset(brute) == rests_on_unset(seq) ||
           (ROUNDS && rests_on_unset(seq));
}

static void print_states(const char *name, const struct verdict *verdict) {
    static const char *const words[] = {"safe", "violation", "undecided", "defect", "refused"};
    fprintf(stderr, "  %s: %s %s %s\n", name, words[verdict->word],
            verdict->word == VERDICT_VIOLATION ? error_names[verdict->error.kind] : "", verdict->reason);
    fprintf(stderr, "    %zu states%s\n", verdict->collected.texts.count,
            rests_on_unset(verdict) ? ", uninitialised memory is read" : "");
}

enum comparison { AGREE, REFUSED, UNDECIDED, DIFFER };

static enum comparison compare(const struct wide_program *wide, enum memory_model model, struct verdict *brute,
                               bool loud) {
    struct program program;
    struct verdict seq;
    wide_build(wide, &program);
    run_engine(&engine_brute, wide, &program, model, brute);
    run_engine(&engine_seq, wide, &program, model, &seq);
    enum comparison result = AGREE;
    if (is_open(brute) || is_open(&seq)) {
        result = UNDECIDED;
    } else if (seq.word == VERDICT_REFUSED) {
        result = REFUSED;
    } else if (!same_answer(brute, &seq) || !same_assumption(brute, &seq)) {
        result = DIFFER;
    }
    if (loud) {
        print_states("brute", brute);
        print_states("seq", &seq);
    }
    verdict_delete(&seq);
    program_delete(&program);
    return result;
}

/* Takes away what can go while the engines still differ, and prints what is left. */
static void explain(struct wide_program wide, enum memory_model model) {
    struct verdict brute;
    for (unsigned change = 0; change < wide_changes(&wide); change++) {
        struct wide_program smaller = wide;
        if (wide_change(&smaller, change)) {
            if (compare(&smaller, model, &brute, false) == DIFFER) {
                wide = smaller;
                change = UINT32_MAX; /* from the start */
            }
            verdict_delete(&brute);
        }
    }
    fprintf(stderr, "seed %llu, model %s:\n", (unsigned long long)wide.seed, model_names[model]);
    wide_print(&wide, stderr);
    compare(&wide, model, &brute, true);
    verdict_delete(&brute);
}

static void compare_engines(uint64_t seed, struct tally *tally) {
    struct wide_program wide;
    struct verdict brute[MODEL_COUNT];
    draw_program(&wide, seed);
    for (int model = 0; model < MODEL_COUNT; model++) {
        enum comparison result = compare(&wide, (enum memory_model)model, &brute[model], false);
        tally->agree += result == AGREE;
        tally->refused += result == REFUSED;
        tally->undecided += result == UNDECIDED;
        tally->differ += result == DIFFER;
        tally->violations += result == AGREE && brute[model].word == VERDICT_VIOLATION;
        if (result == DIFFER) {
            explain(wide, (enum memory_model)model);
        }
    }
    bool by_tso = !same_answer(&brute[MODEL_SC], &brute[MODEL_TSO]);
    bool by_pso = !same_answer(&brute[MODEL_SC], &brute[MODEL_PSO]);
    tally->programs++;
    tally->by_tso += by_tso;
    tally->by_pso += by_pso;
    tally->by_either += by_tso || by_pso;
    for (int model = 0; model < MODEL_COUNT; model++) {
        verdict_delete(&brute[model]);
    }
}

static void test_agreement(void **state) {
    (void)state;
    struct tally tally = {0};
    for (uint64_t seed = first_seed; seed <= last_seed; seed += seed_step) {
        compare_engines(seed, &tally);
    }
    fprintf(stderr, "seeds %llu to %llu: %u agree (%u violations), %u refused, %u undecided, %u differ\n",
            (unsigned long long)first_seed, (unsigned long long)last_seed, tally.agree, tally.violations, tally.refused,
            tally.undecided, tally.differ);
    fprintf(stderr, "of %u programs SC tells %u from TSO, %u from PSO, %u from one of them\n", tally.programs,
            tally.by_tso, tally.by_pso, tally.by_either);
    assert_int_equal(tally.differ, 0);
    assert_true(tally.agree > tally.refused);
    if (BUFFERED && whole_part) {
        assert_true(2 * tally.by_either >= tally.programs);
        assert_true(4 * tally.by_tso >= tally.programs);
    }
}

/* In which a register holds more than the compare-and-swap that compares it takes of it. */
static void test_wide_registers(void **state) {
    static const uint64_t seeds[] = {1001253, 1003896, 1007688, 1012801};
    struct tally tally = {0};
    (void)state;
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        compare_engines(seeds[i], &tally);
    }
    assert_int_equal(tally.differ, 0);
    assert_int_equal(tally.agree, MODEL_COUNT * sizeof seeds / sizeof *seeds);
}

int main(int count, char **arguments) {
    first_seed = part_first(PROGRAMS);
    last_seed = part_last(PROGRAMS);
    if (count >= 5 && strcmp(arguments[1], "--from") == 0 && strcmp(arguments[3], "--to") == 0) {
        first_seed = strtoull(arguments[2], NULL, 10);
        last_seed = strtoull(arguments[4], NULL, 10);
        seed_step = count == 7 && strcmp(arguments[5], "--by") == 0 ? strtoull(arguments[6], NULL, 10) : 1;
        whole_part = false;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_agreement), cmocka_unit_test(test_wide_registers)};
    if (whole_part && PART == 1 && !BUFFERED && !ROUNDS) {
        return cmocka_run_group_tests(tests, NULL, NULL);
    }
    const struct CMUnitTest first[] = {cmocka_unit_test(test_agreement)};
    return cmocka_run_group_tests(first, NULL, NULL);
}
