/* Every fact that is kept holds in every state under SC.
 *
 *     unit_prove_facts                    a fixed list of seeds, and inference with a defect
 *     unit_prove_facts --from A --to B    only the programs of this range
 *     unit_prove_facts --saved FILE       only that program, as `picket show --save` has written it
 *
 * The states are those of the machine, searched depth first, each one once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drawn_program.h"
#include "ir/notes.h"
#include "ir/passes.h"
#include "prove/refuted.h"
#include "quiet_task.h"
#include "util/hash_table.h"

#define PROGRAMS 30
#define ARRAY_PROGRAMS 8
#define MOST_FOR_SEEDS 100
#define MOST_STATES 20000u
#define MOST_CHOICES 16u

static uint64_t first_seed = 1;
static uint64_t last_seed = PROGRAMS;
static uint64_t last_array_seed = ARRAY_PROGRAMS;

struct search {
    struct inferred *inferred;
    struct machine *machine;
    struct observation observation;
    struct hash_table *states;
    uint8_t *buffer;
    size_t capacity;
    unsigned count;
    size_t wrong;
};

static void visit(struct search *search) {
    const struct transition *enabled;
    bool found;
    size_t size = machine_serialise(search->machine, &search->buffer, &search->capacity);
    hash_table_slot(search->states, search->buffer, size, &found);
    if (found || search->count++ >= MOST_STATES) {
        return;
    }
    search->wrong += inferred_observe(search->inferred, &search->observation);
    size_t count = machine_enabled(search->machine, &enabled);
    struct transition *all = calloc(count + 1, sizeof *all);
    if (count > 0) {
        memcpy(all, enabled, count * sizeof *all);
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t choices = machine_choices(search->machine, all[i].thread);
        for (all[i].choice = 0; all[i].choice < choices && all[i].choice < MOST_CHOICES; all[i].choice++) {
            machine_mark mark = machine_set_mark(search->machine);
            observation_take(&search->observation, search->inferred->questions->system, all[i]);
            if (machine_outcome(search->machine) != OUTCOME_ERROR) {
                visit(search);
            }
            machine_undo(search->machine, mark);
            search->observation.taken--;
        }
    }
    free(all);
}

struct tally {
    unsigned programs;
    size_t facts;
    size_t arrays; /* of those, facts about all elements of an array */
    size_t states;
    size_t wrong;
};

static void check(const struct program *program, enum prove_seed seed, struct tally *tally) {
    struct quiet_task quiet;
    struct system system;
    struct steps steps;
    struct questions questions;
    struct inferred inferred;
    struct task *task = quiet_task_init(&quiet, program, MODEL_SC);
    if (!system_init(&system, task, false, NULL)) {
        system_delete(&system);
        return;
    }
    prove_steps_init(&steps, &system, SEED_NONE);
    if (!system.refusal) {
        questions_init(&questions, &steps, NULL, NULL);
        struct refuted *refuted = refuted_new();
        inferred_init(&inferred, &questions, seed, refuted);
        inferred_prove(&inferred, seed);
        refuted_free(refuted);
        struct machine_options options = {.model = MODEL_SC, .awaits = AWAIT_SPIN};
        struct search search = {
            .inferred = &inferred, .machine = machine_new(&system.whole, &options), .states = hash_table_new()};
        tally->programs++;
        tally->facts += inferred_count(&inferred);
        for (size_t i = 0; i < inferred.facts.count; i++) {
            const struct fact *fact = vector_at(&inferred.facts, i);
            tally->arrays += fact_has_array(fact) && !fact->dropped;
        }
        observation_init(&search.observation, search.machine);
        visit(&search);
        observation_delete(&search.observation);
        tally->states += search.count;
        tally->wrong += search.wrong;
        machine_free(search.machine);
        hash_table_free(search.states);
        free(search.buffer);
        inferred_delete(&inferred);
        questions_delete(&questions);
    }
    prove_steps_delete(&steps);
    system_delete(&system);
}

static void test_facts(void **state) {
    (void)state;
    struct tally tally = {0};
    for (uint64_t seed = first_seed; seed <= last_seed; seed++) {
        struct drawn_program drawn;
        struct program program;
        size_t before = tally.wrong;
        drawn_draw(&drawn, seed);
        drawn_build(&drawn, &program);
        check(&program, SEED_NONE, &tally);
        program_delete(&program);
        if (tally.wrong > before) {
            drawn_print(&drawn, stderr);
        }
    }
    fprintf(stderr, "%u programs, %zu facts, %zu states, %zu facts that are false somewhere\n", tally.programs,
            tally.facts, tally.states, tally.wrong);
    assert_int_equal(tally.wrong, 0);
    assert_true(tally.facts > 0);
}

static void test_arrays(void **state) {
    (void)state;
    struct tally tally = {0};
    for (uint64_t seed = first_seed; seed <= last_array_seed; seed++) {
        struct drawn_program drawn;
        struct program program;
        size_t before = tally.wrong;
        drawn_draw(&drawn, seed);
        drawn_index(&drawn, seed);
        drawn_build(&drawn, &program);
        check(&program, SEED_NONE, &tally);
        program_delete(&program);
        if (tally.wrong > before) {
            drawn_print(&drawn, stderr);
        }
    }
    fprintf(stderr, "arrays: %u programs, %zu facts, %zu of them about arrays, %zu states, %zu facts that are false\n",
            tally.programs, tally.facts, tally.arrays, tally.states, tally.wrong);
    assert_int_equal(tally.wrong, 0);
    assert_true(tally.arrays > 0);
}

static void test_seeds(void **state) {
    (void)state;
    for (int seed = SEED_OF_FACTS; seed < SEED_COUNT; seed++) {
        struct tally tally = {0};
        uint64_t number = 1;
        for (; number <= MOST_FOR_SEEDS && tally.wrong == 0; number++) {
            struct drawn_program drawn;
            struct program program;
            drawn_draw(&drawn, number);
            drawn_build(&drawn, &program);
            check(&program, (enum prove_seed)seed, &tally);
            program_delete(&program);
        }
        fprintf(stderr, "%s: noticed by program %llu\n", prove_seed_names[seed], (unsigned long long)number - 1);
        assert_true(tally.wrong > 0);
    }
}

/* The number of facts; 0 if one is false somewhere, or there is no such program. */
static size_t check_saved(const char *path) {
    struct program program;
    struct tally tally = {0};
    const char *problem = program_load(&program, path);
    if (problem) {
        fprintf(stderr, "%s: %s\n", path, problem);
        return 0;
    }
    pass_simplify(&program);
    pass_narrow(&program);
    pass_compact(&program);
    check(&program, SEED_NONE, &tally);
    program_delete(&program);
    printf("%zu facts, %zu states, %zu facts that are false somewhere\n", tally.facts, tally.states, tally.wrong);
    return tally.wrong > 0 ? 0 : tally.facts;
}

int main(int count, char **arguments) {
    if (count == 3 && strcmp(arguments[1], "--saved") == 0) {
        return check_saved(arguments[2]) == 0;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_facts), cmocka_unit_test(test_arrays),
                                       cmocka_unit_test(test_seeds)};
    const struct CMUnitTest range[] = {cmocka_unit_test(test_facts), cmocka_unit_test(test_arrays)};
    if (count == 5 && strcmp(arguments[1], "--from") == 0 && strcmp(arguments[3], "--to") == 0) {
        first_seed = strtoull(arguments[2], NULL, 10);
        last_seed = last_array_seed = strtoull(arguments[4], NULL, 10);
        return cmocka_run_group_tests(range, NULL, NULL);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
