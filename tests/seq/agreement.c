/* Generated programs on which `seq` must agree with `brute`.
 *
 *     unit_seq_agreement_N                    the Nth part of the fixed list of seeds
 *     unit_seq_agreement_N --from A --to B    only the programs of this range
 *     unit_seq_rounds_N                       likewise with the encoding `rounds` alone
 *
 * For every program and every model both find an error or none; every alarm has been replayed.  Of programs without an
 * error the sets of final states are equal.  What `brute` cannot decide within its limits, and what `seq` refuses, says
 * nothing; how many those are is printed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "part.h"
#include "quiet_task.h"
#include "seq/seq.h"
#include "wide_program.h"

#define SECONDS 10 /* of one engine on one program */
#define MEGABYTES 1500
#ifdef ROUNDS /* as many as all executions of the programs need */
#define PROGRAMS 240
#else
#define ROUNDS 0 /* the encoding `order` */
#define PROGRAMS 1000
#endif

static uint64_t first_seed;
static uint64_t last_seed;

struct tally {
    unsigned agree;
    unsigned refused;
    unsigned undecided;
    unsigned differ;
};

static void run_engine(const struct engine *engine, const struct wide_program *wide, const struct program *program,
                       enum memory_model model, struct verdict *verdict) {
    struct quiet_task quiet;
    struct task *task = quiet_task_init(&quiet, program, model);
    quiet.limits.until = limits_now() + SECONDS;
    quiet.limits.memory_mb = MEGABYTES;
    task->machine.spurious = wide->spurious;
    task->collect = COLLECT_STATES;
    verdict_init(verdict);
    if (ROUNDS > 0 && engine == &engine_seq) {
        task->restriction = (struct restriction){RESTRICTION_ROUNDS, ROUNDS};
    }
    engine_run(engine, task, verdict);
}

static void print_states(const char *name, const struct verdict *verdict) {
    static const char *const words[] = {"safe", "violation", "undecided", "defect", "refused"};
    fprintf(stderr, "  %s: %s %s %s\n", name, words[verdict->word],
            verdict->word == VERDICT_VIOLATION ? error_names[verdict->error.kind] : "", verdict->reason);
    fprintf(stderr, "    %zu states\n", verdict->collected.texts.count);
}

static void compare_engines(uint64_t seed, enum memory_model model, struct tally *tally) {
    struct wide_program wide;
    struct program program;
    struct verdict brute;
    struct verdict seq;
    wide_draw(&wide, seed, WIDE_ALL);
    wide_build(&wide, &program);
    run_engine(&engine_brute, &wide, &program, model, &brute);
    run_engine(&engine_seq, &wide, &program, model, &seq);
    if (brute.word == VERDICT_UNDECIDED || seq.word == VERDICT_UNDECIDED) {
        tally->undecided++;
    } else if (seq.word == VERDICT_REFUSED) {
        tally->refused++;
    } else if (brute.word != seq.word ||
               (brute.word == VERDICT_SAFE && brute.collected.states != seq.collected.states)) {
        tally->differ++;
        fprintf(stderr, "seed %llu, model %s:\n", (unsigned long long)seed, model_names[model]);
        print_states("brute", &brute);
        print_states("seq", &seq);
        wide_print(&wide, stderr);
    } else {
        tally->agree++;
    }
    verdict_delete(&brute);
    verdict_delete(&seq);
    program_delete(&program);
}

static void test_agreement(void **state) {
    (void)state;
    struct tally tally = {0};
    for (uint64_t seed = first_seed; seed <= last_seed; seed++) {
        for (int model = 0; model < MODEL_COUNT; model++) {
            compare_engines(seed, (enum memory_model)model, &tally);
        }
    }
    fprintf(stderr, "seeds %llu to %llu: %u agree, %u refused, %u undecided, %u differ\n",
            (unsigned long long)first_seed, (unsigned long long)last_seed, tally.agree, tally.refused, tally.undecided,
            tally.differ);
    assert_int_equal(tally.differ, 0);
    assert_true(tally.agree > tally.refused);
}

int main(int count, char **arguments) {
    first_seed = part_first(PROGRAMS);
    last_seed = part_last(PROGRAMS);
    if (count == 5 && strcmp(arguments[1], "--from") == 0 && strcmp(arguments[3], "--to") == 0) {
        first_seed = strtoull(arguments[2], NULL, 10);
        last_seed = strtoull(arguments[4], NULL, 10);
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_agreement)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
