/* Generated programs on which the robustness oracle must agree with `explore`, and `lazy` with `brute`.
 *
 *     unit_lazy_N                    the Nth part of the fixed list of seeds
 *     unit_lazy_N SEED...            only these programs
 *     unit_lazy_N --from A --to B    only the programs of this range
 *
 * The oracle finds a witness exactly if some trace that `explore` visits has a cycle, with one search and with two; the
 * witness, run on the machine, has one.
 *
 * The engine has the verdict of `brute` and its final states under SC and TSO, whatever way it takes to them.
 *
 * The exact extension, repeated until the oracle finds the program robust, reaches under SC the final states that
 * `brute` reaches under TSO, no more and no fewer, and has the same verdict.  The extension beside reaches a part of
 * them that contains all of SC's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/brute.h"
#include "explore/explore.h"
#include "ir/flatten.h"
#include "part.h"
#include "quiet_task.h"
#include "reach/lazy.h"
#include "reach/oracle.h"
#include "robust/cycle.h"
#include "seeds.h"
#include "wide_program.h"

#define PROGRAMS 450
#define FEATURES WIDE_BASIC
#define BATCH 50
#define CHILD_SECONDS 120
#define FORM_SECONDS 3 /* few programs grow out of hand */

static bool cycle_in(struct chronological *execution) {
    struct vector cycle;
    vector_init(&cycle, sizeof(struct cycle_event));
    bool found = cycle_find_shortest(execution, &cycle);
    vector_delete(&cycle);
    return found;
}

static bool look_for_cycle(void *data, struct chronological *execution) {
    bool *found = data;
    *found = *found || cycle_in(execution);
    return *found;
}

/* Is there a cycle in some trace?  False if `explore` does not say. */
static bool explore_decides(const struct program *program, enum await_mode awaits, bool *found) {
    struct quiet_task quiet;
    struct task *task = quiet_task_init(&quiet, program, MODEL_TSO);
    *found = false;
    task->machine.awaits = awaits;
    struct explore_options explore = {.maximal = look_for_cycle, .maximal_data = found};
    task_give(task, &engine_explore, &explore.common);
    struct verdict verdict;
    verdict_init(&verdict);
    engine_run(&engine_explore, task, &verdict);
    bool decided = *found || verdict.word == VERDICT_SAFE;
    verdict_delete(&verdict);
    return decided;
}

static bool witness_has_cycle(const struct program *program, const struct oracle_witness *witness) {
    struct machine_options options = {.model = MODEL_TSO};
    options = oracle_machine_options(&options);
    struct machine *machine = machine_new(program, &options);
    struct chronological execution;
    bool good = true;
    chronological_init(&execution, machine);
    while (good && execution.taken.count < witness->path.count) {
        const struct transition *next = vector_at(&witness->path, execution.taken.count);
        good = machine_is_enabled(machine, *next);
        if (good) {
            chronological_follow(&execution, next, witness->path.count - execution.taken.count);
        }
    }
    good = good && cycle_in(&execution);
    chronological_delete(&execution);
    machine_free(machine);
    return good;
}

static const char *run_oracle(const struct program *program, uint32_t jobs, bool expected, bool exactly) {
    struct limits limits = {0};
    struct oracle_task task = {.program = program, .limits = &limits, .jobs = jobs, .every_pair = jobs == 1};
    struct oracle_result result;
    const char *wrong = NULL;
    oracle_result_init(&result);
    oracle_run(&task, &result);
    bool found = result.answer == ORACLE_NOT_ROBUST;
    if (!found && result.answer != ORACLE_ROBUST) {
        wrong = "the oracle does not decide";
    } else if (expected && !found) {
        wrong = "the oracle misses a cycle";
    } else if (exactly && !expected && found) {
        wrong = "the oracle finds a witness where no trace has a cycle";
    }
    for (size_t i = 0; i < result.witnesses.count && !wrong; i++) {
        if (!witness_has_cycle(program, vector_at(&result.witnesses, i))) {
            wrong = "a witness has no cycle";
        }
    }
    oracle_result_delete(&result);
    return wrong;
}

static bool has_kind(const struct wide_program *wide, enum wide_kind first, enum wide_kind last) {
    for (unsigned t = 0; t < wide->threads; t++) {
        for (unsigned i = 0; i < wide->counts[t]; i++) {
            if (wide->operations[t][i].kind >= first && wide->operations[t][i].kind <= last) {
                return true;
            }
        }
    }
    return false;
}

/* Has it waiting loops, and accesses of several sizes? */
static bool waits_for_parts(const struct wide_program *wide) {
    unsigned smallest = UINT32_MAX;
    unsigned largest = 0;
    for (unsigned t = 0; t < wide->threads; t++) {
        for (unsigned i = 0; i < wide->counts[t]; i++) {
            unsigned size = wide->operations[t][i].size;
            smallest = size < smallest ? size : smallest;
            largest = size > largest ? size : largest;
        }
    }
    return smallest != largest && has_kind(wide, WIDE_AWAIT, WIDE_AWAIT_CHANGE);
}

/* Few programs drawn at random are not robust.  Every other one gets a ring of stores and loads around what was drawn:
 * each thread stores at its start and loads at its end what the next one stores. */
static void draw(struct wide_program *wide, uint64_t seed) {
    wide_draw(wide, seed, FEATURES);
    for (unsigned t = 0; seed % 2 && t < wide->threads; t++) {
        if (wide->counts[t] + 2 >= WIDE_OPERATIONS) {
            continue;
        }
        struct wide_operation *operations = wide->operations[t];
        unsigned count = wide->counts[t];
        unsigned next = (t + 1) % wide->threads;
        memmove(operations + 1, operations, count * sizeof *operations);
        operations[0] = (struct wide_operation){.kind = WIDE_STORE, .offset = 2 * t, .size = 2, .value = 1};
        operations[count + 1] = (struct wide_operation){.kind = WIDE_LOAD, .offset = 2 * next, .size = 2};
        wide->counts[t] = count + 2;
    }
}

static const char *oracle_differs(const struct wide_program *wide, const struct program *program) {
    bool expected;
    const char *wrong = NULL;
    /* Loops with several reads, or with one of several parts, fail in ways that only iterations as steps show; what
     * follows when an object is freed twice is not all visited: that the witness has a cycle is known there from the
     * machine alone. */
    bool twice = has_kind(wide, WIDE_AWAIT_CAS, WIDE_AWAIT_TRY) || waits_for_parts(wide);
    enum await_mode awaits = twice ? AWAIT_TWICE : AWAIT_BLOCK;
    bool exactly = !has_kind(wide, WIDE_FREE, WIDE_FREE);
    if (explore_decides(program, awaits, &expected)) {
        wrong = run_oracle(program, 1, expected, exactly);
        wrong = wrong ? wrong : run_oracle(program, 2, expected, exactly);
    }
    return wrong;
}

/* --- The engine ------------------------------------------------------------------------------------------------ */

/* Runs the engine, or, if there is a form, the refinement in that form. */
static void run(const struct engine *engine, const struct program *program, enum memory_model model,
                const enum extension_form *form, struct verdict *verdict) {
    struct quiet_task quiet;
    struct task *task = quiet_task_init(&quiet, program, model);
    task->collect = COLLECT_STATES;
    verdict_init(verdict);
    if (form) {
        struct assumptions assumptions; /* which a run of an engine has, too: what is vacuous is not safe */
        assumptions_init(&assumptions, &task->machine);
        task->machine.assumed = &assumptions;
        quiet.limits.until = limits_now() + FORM_SECONDS;
        lazy_run_form(task, *form, verdict);
        if (verdict->word == VERDICT_VIOLATION && !witness_replays(&verdict->witness, program)) {
            verdict->word = VERDICT_DEFECT;
        }
    } else {
        engine_run(engine, task, verdict);
    }
}

static bool has_text(const struct verdict *verdict, const char *text) {
    for (size_t i = 0; i < verdict->collected.texts.count; i++) {
        if (strcmp(*(char **)vector_at(&verdict->collected.texts, i), text) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_part_of(const struct verdict *small, const struct verdict *large) {
    for (size_t i = 0; i < small->collected.texts.count; i++) {
        if (!has_text(large, *(char **)vector_at(&small->collected.texts, i))) {
            return false;
        }
    }
    return true;
}

static const char *exact_differs(const struct verdict *tso, const struct verdict *exact) {
    if (exact->word == VERDICT_UNDECIDED &&
        (strstr(exact->reason, "delayed") || strstr(exact->reason, "share of the time"))) {
        return NULL; /* the end of an object is not delayed in registers */
    }
    if (tso->word != exact->word) {
        return "the exact form has another verdict than brute";
    }
    if (tso->word != VERDICT_SAFE) {
        return NULL;
    }
    return !is_part_of(tso, exact)   ? "the exact form misses a final state"
           : !is_part_of(exact, tso) ? "the exact form has a final state too many"
                                     : NULL;
}

static const char *engine_differs(const struct verdict *brute, const struct verdict *lazy) {
    if (brute->word != lazy->word) {
        return "lazy has another verdict than brute";
    }
    return brute->word == VERDICT_SAFE && (!is_part_of(brute, lazy) || !is_part_of(lazy, brute))
               ? "lazy has other final states than brute"
               : NULL;
}

static const char *beside_differs(const struct verdict *sc, const struct verdict *tso, const struct verdict *beside) {
    if (beside->word == VERDICT_UNDECIDED) {
        return NULL;
    }
    if (beside->word == VERDICT_DEFECT) {
        return "an execution of the form beside does not replay";
    }
    if (beside->word == VERDICT_VIOLATION || tso->word != VERDICT_SAFE) {
        return beside->word == VERDICT_VIOLATION && tso->word == VERDICT_SAFE ? "the form beside has a false alarm"
                                                                              : NULL;
    }
    return !is_part_of(sc, beside)    ? "the form beside misses a final state of SC"
           : !is_part_of(beside, tso) ? "the form beside has a final state too many"
                                      : NULL;
}

static const char *lazy_differs(const struct program *program) {
    static const enum extension_form forms[] = {EXTENSION_EXACT, EXTENSION_BESIDE};
    struct verdict sc;
    struct verdict tso;
    struct verdict exact;
    struct verdict beside;
    struct verdict lazy;
    struct verdict lazy_sc;
    run(&engine_brute, program, MODEL_SC, NULL, &sc);
    run(&engine_brute, program, MODEL_TSO, NULL, &tso);
    run(&engine_lazy, program, MODEL_TSO, NULL, &lazy);
    run(&engine_lazy, program, MODEL_SC, NULL, &lazy_sc);
    run(NULL, program, MODEL_TSO, &forms[1], &beside);
    const char *wrong = beside_differs(&sc, &tso, &beside);
    wrong = wrong ? wrong : engine_differs(&tso, &lazy);
    wrong = wrong ? wrong : engine_differs(&sc, &lazy_sc);
    struct program flat;
    program_flatten(program, 1, &flat);
    if (!wrong && !program_has_cycles(&flat, false)) {
        run(NULL, program, MODEL_TSO, &forms[0], &exact);
        wrong = exact_differs(&tso, &exact);
        verdict_delete(&exact);
    }
    program_delete(&flat);
    verdict_delete(&sc);
    verdict_delete(&tso);
    verdict_delete(&beside);
    verdict_delete(&lazy);
    verdict_delete(&lazy_sc);
    return wrong;
}

static bool agrees(const struct wide_program *wide, bool loud) {
    struct program program;
    wide_build(wide, &program);
    const char *wrong = oracle_differs(wide, &program);
    wrong = wrong ? wrong : lazy_differs(&program);
    if (wrong && loud) {
        fprintf(stderr, "seed %llu: %s\n", (unsigned long long)wide->seed, wrong);
    }
    program_delete(&program);
    return !wrong;
}

/* In a process of its own, so that a failed assertion is one more kind of disagreement.  Returns its status. */
static int run_apart(uint64_t from, uint64_t to, const struct wide_program *wide, bool loud) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        alarm(CHILD_SECONDS);
        if (!loud && !freopen("/dev/null", "w", stderr)) {
            _exit(2);
        }
        bool good = true;
        for (uint64_t seed = from; seed < to && good; seed++) {
            struct wide_program drawn;
            if (!wide) {
                draw(&drawn, seed);
            }
            good = agrees(wide ? wide : &drawn, loud);
        }
        _exit(good ? 0 : 1);
    }
    int status = 1;
    waitpid(child, &status, 0);
    if (loud && WIFSIGNALED(status)) {
        fprintf(stderr, "seed %llu: signal %d\n", (unsigned long long)from, WTERMSIG(status));
    }
    return status;
}

/* Takes away what can go while the program still does not agree, and prints it. */
static void explain(uint64_t seed) {
    struct wide_program wide;
    draw(&wide, seed);
    int wanted = run_apart(seed, seed + 1, &wide, true);
    bool changed = true;
    while (changed) {
        changed = false;
        for (unsigned change = 0; change < wide_changes(&wide) && !changed; change++) {
            struct wide_program smaller = wide;
            if (wide_change(&smaller, change) && run_apart(seed, seed + 1, &smaller, false) == wanted) {
                wide = smaller;
                changed = true;
            }
        }
    }
    wide_print(&wide, stderr);
    run_apart(seed, seed + 1, &wide, true);
}

static bool all_agree(uint64_t from, uint64_t end) {
    return run_apart(from, end, NULL, false) == 0;
}

static const struct seeds_test seeds = {BATCH, all_agree, explain};

static void they_agree(void **state) {
    (void)state;
    assert_int_equal(seeds_check(&seeds, part_first(PROGRAMS), part_last(PROGRAMS) + 1), 0);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(they_agree)};
    int code = seeds_from_arguments(&seeds, argc, argv, NULL);
    if (code >= 0) {
        return code;
    }
    printf("seeds %llu to %llu\n", (unsigned long long)part_first(PROGRAMS), (unsigned long long)part_last(PROGRAMS));
    return cmocka_run_group_tests_name("lazy", tests, NULL, NULL);
}
