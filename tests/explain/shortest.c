/* What a shortest execution costs, and whether SC has the error, on generated programs: an exhaustive search that takes
 * one transition at a time, and keeps for each state the least cost at which it was reached, must say the same.
 *
 *     unit_shortest [--from SEED --to SEED] */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/brute.h"
#include "explain/shortest.h"
#include "quiet_task.h"
#include "util/hash_table.h"
#include "wide_program.h"

#define PROGRAMS 800
#define SECONDS 2
#define MOST_VISITS 150000

/* --- The exhaustive search ---------------------------------------------------------------------------------------- */

/* The end of an execution so far, as far as what it will cost depends on it. */
struct ending {
    struct cost cost;
    uint64_t thread;  /* of the last step; UINT64_MAX: none */
    uint64_t pending; /* number of a store that has just gone into a buffer, else 0 */
};

struct exhaustive {
    struct machine *machine;
    const struct machine_error *wanted;
    struct hash_table *costs;
    uint64_t visits;
    bool found;
    struct cost least;
    uint8_t *buffer;
    size_t capacity;
};

static uint64_t packed(struct cost cost) {
    return (uint64_t)cost.late << 48 | (uint64_t)cost.switches << 24 | cost.steps;
}

static bool is_wanted(const struct exhaustive *search) {
    const struct machine_error *error = machine_error(search->machine);
    const struct position *positions = machine_program(search->machine)->positions;
    return error->kind == search->wanted->kind &&
           (error->kind == ERROR_DEADLOCK || positions[error->pos].line == positions[search->wanted->pos].line);
}

/* Has a path with this ending reached the state before, and at no higher cost? */
static bool is_old(struct exhaustive *search, const struct ending *ending) {
    size_t size = machine_serialise(search->machine, &search->buffer, &search->capacity);
    uint64_t end[2] = {ending->thread, ending->pending != 0};
    size_t whole = size + sizeof end;
    if (whole > search->capacity) {
        search->buffer = realloc(search->buffer, whole);
        search->capacity = whole;
    }
    memcpy(search->buffer + size, end, sizeof end);
    bool found;
    uint64_t *known = hash_table_slot(search->costs, search->buffer, whole, &found);
    if (found && *known <= packed(ending->cost)) {
        return true;
    }
    *known = packed(ending->cost);
    return false;
}

static struct ending after(const struct ending *before, const struct machine *machine, struct transition transition) {
    const struct step *step = machine_last(machine);
    struct ending ending = *before;
    bool drained = transition.kind == TRANSITION_DRAIN && before->pending == transition.choice &&
                   before->thread == transition.thread;
    ending.pending = 0;
    if (before->pending && !drained) {
        ending.cost.late++;
    }
    if (!drained) {
        ending.cost.steps++;
    }
    if (transition.kind == TRANSITION_STEP) {
        ending.cost.switches += before->thread != UINT64_MAX && before->thread != transition.thread;
        ending.thread = transition.thread;
        if (machine_model(machine) != MODEL_SC &&
            (step->kind == STEP_STORE || step->kind == STEP_FREE || step->kind == STEP_LEAVE)) {
            ending.pending = step->serial;
        }
    }
    return ending;
}

static void visit(struct exhaustive *search, const struct ending *ending) {
    enum outcome outcome = machine_outcome(search->machine);
    if (++search->visits > MOST_VISITS || (search->found && packed(ending->cost) >= packed(search->least))) {
        return;
    }
    if (outcome == OUTCOME_ERROR && is_wanted(search)) {
        search->found = true;
        search->least = ending->cost;
    }
    if (outcome != OUTCOME_RUNNING || is_old(search, ending)) {
        return;
    }
    const struct transition *enabled;
    size_t count = machine_enabled(search->machine, &enabled);
    struct transition *all = malloc(count * sizeof *all);
    memcpy(all, enabled, count * sizeof *all);
    for (size_t i = 0; i < count; i++) {
        bool step = all[i].kind == TRANSITION_STEP;
        uint64_t choices = step ? machine_choices(search->machine, all[i].thread) : 1;
        for (uint64_t choice = 0; choice < choices; choice++) {
            all[i].choice = step ? choice : all[i].choice;
            machine_mark mark = machine_set_mark(search->machine);
            machine_take(search->machine, all[i]);
            struct ending next = after(ending, search->machine, all[i]);
            visit(search, &next);
            machine_undo(search->machine, mark);
        }
    }
    free(all);
}

/* --- Comparison --------------------------------------------------------------------------------------------------- */

/* What is wrong, NULL: nothing. */
static const char *compare(const struct program *program, const struct verdict *found, const struct shortest *shortest,
                           unsigned *compared) {
    struct machine_options options = witness_machine_options(&found->witness);
    struct exhaustive search = {.machine = machine_new(program, &options), .wanted = &found->error};
    struct ending beginning = {.thread = UINT64_MAX};
    search.costs = hash_table_new();
    visit(&search, &beginning);
    machine_free(search.machine);
    hash_table_free(search.costs);
    free(search.buffer);
    if (search.visits > MOST_VISITS || !shortest->proved) {
        return NULL;
    }
    ++*compared;
    return !search.found                                              ? "the error itself"
           : cost_compare(search.least, shortest->cost) != 0          ? "the least cost"
           : (shortest->sc == KNOWN_TRUE) != (search.least.late == 0) ? "SC"
           : (shortest->sc == KNOWN_FALSE) != (search.least.late > 0) ? "SC"
                                                                      : NULL;
}

static const char *problem_of(const struct wide_program *wide, const struct program *program, enum memory_model model,
                              unsigned *compared, unsigned *late) {
    struct quiet_task quiet;
    struct verdict verdict;
    struct shortest shortest;
    struct task *task = quiet_task_init(&quiet, program, model);
    const char *problem = NULL;
    quiet.limits.until = limits_now() + SECONDS;
    task->machine.spurious = wide->spurious;
    verdict_init(&verdict);
    shortest_init(&shortest);
    engine_run(&engine_brute, task, &verdict);
    quiet.limits.until = limits_now() + SECONDS;
    if (verdict.word == VERDICT_VIOLATION) {
        struct shortest_task question = {.program = program, .witness = &verdict.witness, .limits = &quiet.limits};
        struct cost before = shortest_cost(program, &verdict.witness);
        shortest_find(&question, &shortest);
        problem = compare(program, &verdict, &shortest, compared);
        if (!problem && shortest.found && !shortest_adopt(&shortest, program, &verdict)) {
            problem = "a replay";
        }
        if (!problem && (!witness_replays(&verdict.witness, program) || cost_compare(shortest.cost, before) > 0 ||
                         cost_compare(shortest_cost(program, &verdict.witness), shortest.cost) != 0)) {
            problem = "the cost of what was found";
        }
        *late += shortest.cost.late > 0;
    }
    shortest_delete(&shortest);
    verdict_delete(&verdict);
    return problem;
}

/* --- Errors that store buffers cause ------------------------------------------------------------------------------ */

struct outcome_seen {
    uint64_t observations[WIDE_THREADS];
};

struct outcomes {
    uint64_t address; /* of the threads' observations */
    unsigned threads;
    struct vector list; /* of struct outcome_seen */
};

static bool has_outcome(const struct outcomes *outcomes, const struct outcome_seen *wanted) {
    for (size_t i = 0; i < outcomes->list.count; i++) {
        if (memcmp(vector_at(&outcomes->list, i), wanted, sizeof *wanted) == 0) {
            return true;
        }
    }
    return false;
}

static void note_outcome(void *data, struct machine *machine) {
    struct outcomes *outcomes = data;
    struct outcome_seen seen = {{0}};
    uint64_t value[2];
    for (unsigned t = 0; t < outcomes->threads; t++) {
        if (!machine_thread_exists(machine, t) || !machine_thread_finished(machine, t)) {
            return;
        }
        machine_peek(machine, outcomes->address + 8 * (uint64_t)t, 8, value);
        seen.observations[t] = value[0];
    }
    if (!has_outcome(outcomes, &seen)) {
        vector_push(&outcomes->list, &seen);
    }
}

/* All outcomes under the model; false if they are not known. */
static bool find_outcomes(const struct wide_program *wide, const struct program *program, enum memory_model model,
                          struct outcomes *outcomes) {
    struct quiet_task quiet;
    struct verdict verdict;
    struct task *task = quiet_task_init(&quiet, program, model);
    outcomes->threads = wide->threads;
    for (uint32_t g = 0; g < program->globals_count; g++) {
        if (strcmp(program_string(program, program->globals[g].name), "observations") == 0) {
            outcomes->address = program->globals[g].address;
        }
    }
    task->collect = COLLECT_STATES;
    task->final = note_outcome;
    task->final_data = outcomes;
    quiet.limits.until = limits_now() + SECONDS;
    verdict_init(&verdict);
    engine_run(&engine_brute, task, &verdict);
    bool known = verdict.word == VERDICT_SAFE;
    verdict_delete(&verdict);
    return known;
}

/* Makes an outcome that SC does not have an error. */
static void forbid(struct wide_program *wide, const struct program *program, enum memory_model model) {
    struct outcomes allowed = {.address = 0};
    struct outcomes all = {.address = 0};
    vector_init(&allowed.list, sizeof(struct outcome_seen));
    vector_init(&all.list, sizeof(struct outcome_seen));
    if (find_outcomes(wide, program, MODEL_SC, &allowed) && find_outcomes(wide, program, model, &all)) {
        for (size_t i = 0; i < all.list.count && !wide->forbids; i++) {
            const struct outcome_seen *seen = vector_at(&all.list, i);
            if (!has_outcome(&allowed, seen)) {
                wide->forbids = true;
                memcpy(wide->forbidden, seen->observations, sizeof wide->forbidden);
            }
        }
    }
    vector_delete(&allowed.list);
    vector_delete(&all.list);
}

static uint64_t first_seed = 1;
static uint64_t last_seed = PROGRAMS;

static void shortest_costs_least(void **state) {
    (void)state;
    unsigned failures = 0;
    unsigned compared = 0;
    unsigned late = 0;
    for (uint64_t seed = first_seed; seed <= last_seed; seed++) {
        struct wide_program wide;
        struct program program;
        if (seed % 2) {
            wide_draw(&wide, seed, WIDE_ALL);
        } else {
            buffered_draw(&wide, seed);
        }
        wide_build(&wide, &program);
        enum memory_model model = (enum memory_model)(seed % MODEL_COUNT);
        if (wide.observed && model != MODEL_SC) {
            forbid(&wide, &program, model);
        }
        if (wide.forbids) {
            program_delete(&program);
            wide_build(&wide, &program);
        }
        const char *problem = problem_of(&wide, &program, model, &compared, &late);
        if (problem) {
            failures++;
            fprintf(stderr, "seed %llu, model %s: %s\n", (unsigned long long)seed, model_names[model], problem);
        }
        program_delete(&program);
    }
    printf("%u errors compared, %u need a late store\n", compared, late);
    assert_int_equal(failures, 0);
    assert_true(compared > (last_seed - first_seed) / 10);
    assert_true(late > (last_seed - first_seed) / 30);
}

int main(int count, char **arguments) {
    if (count == 5 && strcmp(arguments[1], "--from") == 0 && strcmp(arguments[3], "--to") == 0) {
        first_seed = strtoull(arguments[2], NULL, 10);
        last_seed = strtoull(arguments[4], NULL, 10);
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(shortest_costs_least)};
    return cmocka_run_group_tests_name("shortest", tests, NULL, NULL);
}
