/* Generated programs on which all engines must agree: with operations of every kind on locks and threads, misuse of
 * both, destroyed objects, ends of heap objects, choices and atomic sections.
 *
 *     unit_engines_N                    the Nth part of the fixed list of seeds
 *     unit_engines_N --from A --to B    the programs of this range
 *
 * Programs with an even seed are those that `unit_generated --sync` holds `brute` to the independent model on; the
 * others are drawn for breadth.  Each engine must say what `brute` says; where it says nothing, because of a limit or
 * because it refuses the program, that is counted.  An engine that leaves a kind of error out may say `safe` where
 * `brute` has found one of that kind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/bounded.h"
#include "engine/brute.h"
#include "engine/checks.h"
#include "engine/switches.h"
#include "explore/explore.h"
#include "generated_program.h"
#include "part.h"
#include "quiet_task.h"
#include "reach/lazy.h"
#include "reach/reach.h"
#include "seq/seq.h"
#include "wide_program.h"

#define PROGRAMS 500
#define SECONDS 0.1 /* of processor time, of one engine on one program */
#define MEGABYTES 1500

static const struct engine *const engines[] = {&engine_explore, &engine_reach, &engine_lazy,    &engine_seq,
                                               &engine_rounds,  &engine_age,   &engine_switches};
#define ENGINES (sizeof engines / sizeof *engines)

/* Shared with the processes that check a program. */
struct tally {
    unsigned programs;
    unsigned errors; /* programs and models with one */
    unsigned agree[ENGINES];
    unsigned silent[ENGINES];
};

static uint64_t first_seed;
static uint64_t last_seed;

static void run_engine(const struct engine *engine, const struct program *program, bool spurious,
                       enum memory_model model, struct verdict *verdict) {
    struct quiet_task quiet;
    struct task *task = quiet_task_init(&quiet, program, model);
    task->machine.spurious = spurious;
    quiet.limits.until_cpu = limits_cpu() + SECONDS;
    quiet.limits.memory_mb = MEGABYTES;
    verdict_init(verdict);
    if (engine_refusal(engine, task)) {
        verdict->word = VERDICT_REFUSED;
    } else {
        engine_run(engine, task, verdict);
    }
}

static bool agrees(const struct engine *engine, const struct verdict *verdict, const struct verdict *brute) {
    bool left_out =
        checks_omitted(engine->name) && brute->word == VERDICT_VIOLATION && brute->error.kind == ERROR_DEADLOCK;
    return verdict->word == brute->word || (left_out && verdict->word == VERDICT_SAFE);
}

/* The number of engines that do not agree. */
static unsigned check_model(const struct program *program, bool spurious, enum memory_model model, uint64_t seed,
                            struct tally *tally) {
    unsigned differ = 0;
    struct verdict brute;
    run_engine(&engine_brute, program, spurious, model, &brute);
    tally->errors += brute.word == VERDICT_VIOLATION;
    for (size_t e = 0; e < ENGINES && brute.word <= VERDICT_VIOLATION; e++) {
        struct verdict verdict;
        run_engine(engines[e], program, spurious, model, &verdict);
        if (verdict.word == VERDICT_UNDECIDED || verdict.word == VERDICT_REFUSED) {
            tally->silent[e]++;
        } else if (agrees(engines[e], &verdict, &brute)) {
            tally->agree[e]++;
        } else {
            differ++;
            fprintf(stderr, "seed %llu, model %s: %s says %u, brute %u (%s)\n", (unsigned long long)seed,
                    model_names[model], engines[e]->name, verdict.word, brute.word,
                    brute.word == VERDICT_VIOLATION ? brute.error.message : "");
        }
        verdict_delete(&verdict);
    }
    verdict_delete(&brute);
    return differ;
}

static unsigned check_program(uint64_t seed, struct tally *tally) {
    struct program program;
    bool spurious = false;
    unsigned differ = 0;
    if (seed % 2 == 0) {
        struct generated generated;
        generated_draw_sync(&generated, seed);
        generated_build(&generated, false, &program);
    } else {
        struct wide_program wide;
        wide_draw(&wide, seed, WIDE_ALL);
        wide_build(&wide, &program);
        spurious = wide.spurious;
    }
    for (int model = 0; model < MODEL_COUNT; model++) {
        differ += check_model(&program, spurious, (enum memory_model)model, seed, tally);
    }
    program_delete(&program);
    tally->programs++;
    return differ;
}

/* In a process of its own: one that crashes costs one program. */
static bool check_apart(uint64_t seed, struct tally *tally) {
    int status;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        _exit(check_program(seed, tally) > 0);
    }
    waitpid(child, &status, 0);
    if (!WIFEXITED(status)) {
        fprintf(stderr, "seed %llu: ended by signal %d\n", (unsigned long long)seed, WTERMSIG(status));
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void engines_agree(void **state) {
    (void)state;
    unsigned failures = 0;
    struct tally *tally = mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(tally != MAP_FAILED);
    for (uint64_t seed = first_seed; seed <= last_seed; seed++) {
        failures += !check_apart(seed, tally);
    }
    printf("seeds %llu to %llu: %u programs, %u times an error, %u programs differ\n", (unsigned long long)first_seed,
           (unsigned long long)last_seed, tally->programs, tally->errors, failures);
    for (size_t e = 0; e < ENGINES; e++) {
        printf("    %-8s %u agree, %u say nothing\n", engines[e]->name, tally->agree[e], tally->silent[e]);
        assert_true(tally->agree[e] > 0);
    }
    assert_int_equal(failures, 0);
    assert_true(tally->errors > tally->programs / 10);
    munmap(tally, sizeof *tally);
}

int main(int count, char **arguments) {
    first_seed = part_first(PROGRAMS);
    last_seed = part_last(PROGRAMS);
    if (count == 5 && strcmp(arguments[1], "--from") == 0 && strcmp(arguments[3], "--to") == 0) {
        first_seed = strtoull(arguments[2], NULL, 10);
        last_seed = strtoull(arguments[4], NULL, 10);
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(engines_agree)};
    return cmocka_run_group_tests_name("engines", tests, NULL, NULL);
}
