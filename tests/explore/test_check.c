/* The checker and the numbered invariants of `explore`: each finds the defect that is seeded for it, and none finds
 * anything in generated programs.
 *
 *     unit_check                    the seeded defects, and a fixed list of seeds
 *     unit_check --from A --to B    the generated programs of this range
 *
 * A program that breaks an invariant is cut down as far as it still does, and printed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../generated/quiet_task.h"
#include "../generated/wide_program.h"
#include "explore/edges.h"
#include "explore/explore.h"
#include "explore/invariants.h"

#define PROGRAMS 1000
#define BATCH 50
#define CHILD_SECONDS 300

/* --- Seeded defects ----------------------------------------------------------------------------------------------- */

/* Two threads that add to the same word and store to another one; main only creates them. */
static void make_program(struct program *program) {
    struct wide_operation add = {.kind = WIDE_ADD, .size = 4, .offset2 = 4, .size2 = 4, .value = 1};
    struct wide_operation store = {.kind = WIDE_STORE, .offset = 4, .size = 4, .size2 = 4, .value = 1};
    struct wide_program wide = {.threads = 3, .atomic_start = true, .counts = {0, 2, 2}};
    for (unsigned t = 1; t < 3; t++) {
        store.value = t;
        wide.operations[t][0] = add;
        wide.operations[t][1] = store;
    }
    wide_build(&wide, program);
}

/* The end of an execution, where a defect is seeded. */
struct seeding {
    void (*seed)(struct worker *worker);
    unsigned execution; /* the number of the execution, from 1, in which that is done */
    unsigned executions;
};

static struct worker *worker_of(struct chronological *chronological) {
    return (struct worker *)((char *)chronological - offsetof(struct worker, chronological));
}

/* A callback of `explore`: seeds the defect in the execution of that number, and ends the search there. */
static bool at_end(void *data, struct chronological *execution) {
    struct seeding *seeding = data;
    if (++seeding->executions != seeding->execution) {
        return false;
    }
    seeding->seed(worker_of(execution));
    return true;
}

static void explore_with(struct seeding *seeding, bool (*callback)(void *, struct chronological *)) {
    struct program program;
    struct quiet_task quiet;
    struct verdict verdict;
    make_program(&program);
    struct task *task = quiet_task_init(&quiet, &program, MODEL_TSO);
    struct explore_options explore = {.maximal = callback, .maximal_data = seeding, .check_every = 1};
    task_give(task, &engine_explore, &explore.common);
    verdict_init(&verdict);
    engine_run(&engine_explore, task, &verdict);
    assert_true(seeding->executions >= seeding->execution);
    verdict_delete(&verdict);
    program_delete(&program);
}

static void seed_in(unsigned execution, void (*seed)(struct worker *worker)) {
    struct seeding seeding = {.seed = seed, .execution = execution};
    explore_with(&seeding, at_end);
}

/* Runs the checker, which finds this and maybe more. */
static void expect(struct worker *worker, enum check_invariant invariant) {
    struct checker *checker = &worker->checker;
    size_t count = checker_run(checker, &worker->chronological);
    bool found = false;
    for (size_t i = 0; i < count; i++) {
        found = found || ((struct check_mismatch *)vector_at(&checker->mismatches, i))->invariant == invariant;
    }
    if ((invariant == CHECK_NOTHING) != (count == 0) || (invariant != CHECK_NOTHING && !found)) {
        checker_print(checker, &worker->chronological, stderr);
        fail_msg("X%d was not found, or something else was", (int)invariant);
    }
}

/* Changes whether one event happens before another. */
static void flip(struct chronological *chronological, uint32_t earlier, uint32_t later) {
    const struct clock *clock = clocks_at(&chronological->clocks, later);
    assert_int_equal(clock->floor, 0);
    chronological->clocks.words[clock->base] ^= UINT64_C(1) << earlier;
}

static size_t races_end(const struct chronological *chronological, uint32_t event) {
    return event + 1 < chronological->events.count ? chronological_event(chronological, event + 1)->races
                                                   : chronological->races.count;
}

static uint32_t last_race(const struct chronological *chronological, uint32_t event) {
    return ((struct race *)vector_at(&chronological->races, races_end(chronological, event) - 1))->event;
}

/* The last event that has a race. */
static uint32_t racing_event(const struct chronological *chronological) {
    uint32_t event = (uint32_t)chronological->events.count - 1;
    while (chronological_event(chronological, event)->races == races_end(chronological, event)) {
        event--;
    }
    return event;
}

/* Takes the last race of an event away, or gives it one more. */
static void change_races(struct chronological *chronological, uint32_t event, uint32_t more) {
    size_t at = races_end(chronological, event);
    size_t after = chronological->races.count - at;
    vector_grow(&chronological->races, 1);
    struct race *races = chronological->races.data;
    memmove(races + (more == NO_EVENT ? at - 1 : at + 1), races + at, after * sizeof *races);
    if (more != NO_EVENT) {
        races[at] = (struct race){.event = more};
    }
    chronological->races.count -= more == NO_EVENT ? 2 : 0;
    for (uint32_t i = event + 1; i < chronological->events.count; i++) {
        chronological_event(chronological, i)->races += more == NO_EVENT ? UINT32_MAX : 1;
    }
}

/* An event of another thread, that is no race of this one and is scheduled. */
static uint32_t other_event(const struct chronological *chronological, uint32_t event) {
    const struct race *races = chronological->races.data;
    uint32_t race = races[chronological_event(chronological, event)->races].event;
    uint32_t thread = chronological_event(chronological, event)->label.transition.thread;
    for (uint32_t i = event; i-- > 0;) {
        const struct event *other = chronological_event(chronological, i);
        if (i != race && other->label.transition.thread != thread && !other->trails) {
            return i;
        }
    }
    fail_msg("no other event");
    return NO_EVENT;
}

static void seed_clock_without(struct worker *worker) {
    struct chronological *chronological = &worker->chronological;
    uint32_t event = racing_event(chronological);
    expect(worker, CHECK_NOTHING);
    flip(chronological, last_race(chronological, event), event);
    expect(worker, CHECK_HAPPENS_BEFORE);
}

static void seed_clock_with(struct worker *worker) {
    struct chronological *chronological = &worker->chronological;
    for (uint32_t later = (uint32_t)chronological->events.count; later-- > 1;) {
        if (!happens_before(chronological, later - 1, later)) {
            flip(chronological, later - 1, later);
            expect(worker, CHECK_HAPPENS_BEFORE);
            return;
        }
    }
    fail_msg("everything is ordered");
}

static void seed_missing_race(struct worker *worker) {
    expect(worker, CHECK_NOTHING);
    change_races(&worker->chronological, racing_event(&worker->chronological), NO_EVENT);
    expect(worker, CHECK_RACES_COMPLETE);
}

static void seed_false_race(struct worker *worker) {
    struct chronological *chronological = &worker->chronological;
    uint32_t event = racing_event(chronological);
    change_races(chronological, event, other_event(chronological, event));
    expect(worker, CHECK_RACES_SOUND);
}

/* The definitions forget what the earlier event of a race accesses: its later event does something else without it. */
static void forget_access(struct worker *worker, enum check_invariant invariant) {
    const struct chronological *chronological = &worker->chronological;
    for (uint32_t event = 0; event < chronological->events.count; event++) {
        if (chronological_event(chronological, event)->kind == STEP_RMW) {
            worker->checker.forgotten = event;
            expect(worker, invariant);
            worker->checker.forgotten = NO_EVENT;
            expect(worker, CHECK_NOTHING);
            return;
        }
    }
    fail_msg("no read-modify-write");
}

static void seed_forgotten_edge(struct worker *worker) {
    forget_access(worker, CHECK_INDEPENDENT);
}

static void seed_other_order(struct worker *worker) {
    forget_access(worker, CHECK_ORDER);
}

static void seed_other_state(struct worker *worker) {
    machine_undo(worker->machine, ((struct stack_entry *)vector_at(&worker->stack, worker->stack.count - 2))->mark);
    expect(worker, CHECK_STATE);
}

/* The later event of a race is said to access less than it does. */
static void seed_other_reversal(struct worker *worker) {
    struct event *event = chronological_event(&worker->chronological, racing_event(&worker->chronological));
    event->label.access[0].size /= 2;
    expect(worker, CHECK_REVERSED);
}

/* A write is left out with a race without which the later event is not even next. */
static void seed_more_left_out(struct worker *worker) {
    struct chronological *chronological = &worker->chronological;
    uint32_t event = racing_event(chronological);
    struct undone_write undone = {
        .waiting = event,
        .earlier = last_race(chronological, event),
        .write = 0,
    };
    vector_push(&chronological->undone, &undone);
    expect(worker, CHECK_LEFT_OUT);
}

static void the_checker_finds_what_is_seeded(void **state) {
    (void)state;
    for (unsigned execution = 1; execution < 4; execution++) {
        seed_in(execution, seed_clock_without);
        seed_in(execution, seed_clock_with);
        seed_in(execution, seed_missing_race);
        seed_in(execution, seed_false_race);
        seed_in(execution, seed_forgotten_edge);
        seed_in(execution, seed_other_order);
        seed_in(execution, seed_other_state);
        seed_in(execution, seed_other_reversal);
        seed_in(execution, seed_more_left_out);
    }
}

/* --- Seeded defects in the structs -------------------------------------------------------------------------------- */

static void seed_unordered_steps(struct worker *worker) {
    struct chronological *chronological = &worker->chronological;
    uint32_t event = racing_event(chronological);
    const struct event *at = chronological_event(chronological, event);
    assert_int_equal(chronological_broken(chronological), 0);
    flip(chronological, at->kind == STEP_DRAIN ? at->store : at->last_step, event);
    assert_int_equal(chronological_broken(chronological), 1);
}

/* What happens before the creation of a thread does not happen before its last step. */
static void seed_open_clock(struct worker *worker) {
    struct chronological *chronological = &worker->chronological;
    uint32_t event = racing_event(chronological);
    assert_true(happens_before(chronological, 0, event));
    flip(chronological, 0, event);
    assert_int_equal(chronological_broken(chronological), 2);
}

static void seed_race_of_own_thread(struct worker *worker) {
    struct chronological *chronological = &worker->chronological;
    uint32_t event = racing_event(chronological);
    const struct event *at = chronological_event(chronological, event);
    change_races(chronological, event, at->kind == STEP_DRAIN ? at->store : at->last_step);
    assert_int_equal(chronological_broken(chronological), 3);
}

static void seed_removed_event(struct worker *worker) {
    struct chronological *chronological = &worker->chronological;
    struct line *line = line_of(chronological, 1);
    uint32_t last_drain = line->last_drain;
    line->last_drain = (uint32_t)chronological->events.count;
    assert_int_equal(chronological_broken(chronological), 4);
    line->last_drain = last_drain;
    assert_int_equal(chronological_broken(chronological), 0);
}

static void seed_wrong_count(struct worker *worker) {
    worker->chronological.scheduled++;
    assert_int_equal(chronological_broken(&worker->chronological), 5);
}

static void seed_tree(struct worker *worker) {
    struct tree *tree = &worker->exploration->tree;
    struct tree_node *root = tree_at(tree, tree->root);
    uint32_t saved[] = {root->last, root->pending, root->workers};
    struct label label = tree_at(tree, root->child)->label;
    assert_int_equal(tree_broken(tree, tree->root), 0);
    root->last = NO_NODE;
    assert_int_equal(tree_broken(tree, tree->root), 1);
    root->last = saved[0];
    root->pending = root->child;
    assert_int_equal(tree_broken(tree, tree->root), 2);
    root->pending = saved[1];
    root->workers = 0;
    assert_int_equal(tree_broken(tree, tree->root), 4);
    root->workers = saved[2];
    assert_int_equal(tree_broken(tree, tree->root), 0);
    tree_add(tree, &worker->pool, tree->root, &label);
    tree_add(tree, &worker->pool, tree->root, &label);
    assert_int_equal(tree_broken(tree, tree->root), 3);
}

/* Something that was explored from a state before is what this execution takes there. */
static void seed_taken_sleeper(struct worker *worker) {
    struct tree *tree = &worker->exploration->tree;
    assert_int_equal(worker_broken(worker), 0);
    for (size_t i = 0; i + 1 < worker->stack.count; i++) {
        const struct stack_entry *stack = worker->stack.data;
        uint32_t first = stack[i].node == NO_NODE ? NO_NODE : tree_at(tree, stack[i].node)->child;
        if (stack[i + 1].node != NO_NODE && first != stack[i + 1].node) {
            const struct event *event = chronological_event(&worker->chronological, stack[i + 1].event);
            tree_at(tree, first)->label.transition = event->label.transition;
            assert_int_equal(worker_broken(worker), 1);
            return;
        }
    }
    fail_msg("nothing was explored before");
}

static void seed_short_stack(struct worker *worker) {
    worker->stack.count--;
    assert_int_equal(worker_broken(worker), 2);
    worker->stack.count++;
}

/* Nothing is enabled at the end, so nothing can sleep. */
static void seed_disabled_sleeper(struct worker *worker) {
    const struct tree *tree = &worker->exploration->tree;
    struct sleeper sleeper = {.node = tree_at(tree, tree->root)->child};
    vector_push(&worker->sleep, &sleeper);
    assert_int_equal(worker_broken(worker), 3);
}

static void invariants_of_structs_are_evaluated(void **state) {
    (void)state;
    seed_in(2, seed_unordered_steps);
    seed_in(2, seed_open_clock);
    seed_in(2, seed_race_of_own_thread);
    seed_in(2, seed_removed_event);
    seed_in(2, seed_wrong_count);
    seed_in(2, seed_tree);
    seed_in(2, seed_taken_sleeper);
    seed_in(2, seed_short_stack);
    seed_in(2, seed_disabled_sleeper);
}

/* --- Defects that end the process --------------------------------------------------------------------------------- */

/* A callback that seeds a defect and lets the search continue. */
static bool seed_and_go_on(void *data, struct chronological *execution) {
    struct seeding *seeding = data;
    if (++seeding->executions == seeding->execution) {
        seeding->seed(worker_of(execution));
    }
    return false;
}

static void remove_race(struct worker *worker) {
    change_races(&worker->chronological, racing_event(&worker->chronological), NO_EVENT);
}

static void miscount(struct worker *worker) {
    worker->chronological.scheduled++;
}

/* W4: what is to be explored next is not enabled. */
static void insert_disabled(struct worker *worker) {
    struct tree *tree = &worker->exploration->tree;
    struct label label = tree_at(tree, tree_at(tree, tree->root)->child)->label;
    label.transition = (struct transition){.thread = 1, .kind = TRANSITION_STEP};
    tree_add(tree, &worker->pool, tree->root, &label);
}

/* Runs the search in a process of its own, which must abort and say this. */
static void expect_abort(void (*seed)(struct worker *worker), const char *text) {
    int ends[2];
    char said[65536];
    size_t size = 0;
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        signal(SIGABRT, SIG_DFL);
        struct seeding seeding = {.seed = seed, .execution = 1};
        explore_with(&seeding, seed_and_go_on);
        _exit(0);
    }
    close(ends[1]);
    ssize_t more;
    while ((more = read(ends[0], said + size, sizeof said - 1 - size)) > 0) {
        size += (size_t)more;
    }
    said[size] = '\0';
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGABRT);
    assert_non_null(strstr(said, text));
}

static void broken_invariants_end_the_process(void **state) {
    (void)state;
    expect_abort(remove_race, "invariant X2 is broken");
    expect_abort(miscount, "invariant C5 is broken");
    expect_abort(insert_disabled, "W4: ");
}

/* --- Generated programs ------------------------------------------------------------------------------------------- */

/* Programs by seed, or a single one as it is. */
struct job {
    uint64_t from;
    uint64_t end;
    const struct wide_program *wide;
    int model; /* MODEL_COUNT: all */
    bool loud;
};

static void draw(struct wide_program *wide, uint64_t seed) {
    wide_draw(wide, seed, WIDE_ALL);
}

static void check_program(const struct wide_program *wide, int model) {
    struct program program;
    wide_build(wide, &program);
    for (int m = 0; m < MODEL_COUNT; m++) {
        struct quiet_task quiet;
        struct verdict verdict;
        struct task *task = quiet_task_init(&quiet, &program, (enum memory_model)m);
        struct explore_options explore = {.check_every = 1};
        task_give(task, &engine_explore, &explore.common);
        task->machine.spurious = wide->spurious;
        if (model == m || model == MODEL_COUNT) {
            verdict_init(&verdict);
            engine_run(&engine_explore, task, &verdict);
            verdict_delete(&verdict);
        }
    }
    program_delete(&program);
}

/* In a process of its own, as a broken invariant ends it. */
static bool job_passes(const struct job *job) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        alarm(CHILD_SECONDS);
        signal(SIGABRT, SIG_DFL);
        if (!job->loud && !freopen("/dev/null", "w", stderr)) {
            _exit(2);
        }
        for (uint64_t seed = job->from; seed < job->end; seed++) {
            struct wide_program drawn;
            draw(&drawn, seed);
            check_program(job->wide ? job->wide : &drawn, job->model);
        }
        _exit(0);
    }
    int status = 1;
    waitpid(child, &status, 0);
    return status == 0;
}

/* Takes away what can go while the program still breaks an invariant, and prints what is left. */
static void explain(uint64_t seed, int model) {
    struct wide_program wide;
    draw(&wide, seed);
    for (unsigned change = 0; change < wide_changes(&wide); change++) {
        struct wide_program smaller = wide;
        if (wide_change(&smaller, change) &&
            !job_passes(&(struct job){.from = seed, .end = seed + 1, .wide = &smaller, .model = model})) {
            wide = smaller;
            change = UINT32_MAX; /* from the beginning */
        }
    }
    fprintf(stderr, "%s:\n", model_names[model]);
    wide_print(&wide, stderr);
    job_passes(&(struct job){.from = seed, .end = seed + 1, .wide = &wide, .model = model, .loud = true});
}

/* How many of the programs break an invariant. */
static unsigned check_range(uint64_t from, uint64_t end) {
    unsigned failures = 0;
    for (uint64_t first = from; first < end; first += BATCH) {
        uint64_t last = first + BATCH < end ? first + BATCH : end;
        bool good = job_passes(&(struct job){.from = first, .end = last, .model = MODEL_COUNT});
        for (uint64_t seed = first; seed < last && !good; seed++) {
            int model = 0;
            while (model < MODEL_COUNT && job_passes(&(struct job){.from = seed, .end = seed + 1, .model = model})) {
                model++;
            }
            if (model < MODEL_COUNT) {
                failures++;
                explain(seed, model);
            }
        }
    }
    return failures;
}

static void generated_programs_break_no_invariant(void **state) {
    (void)state;
    assert_int_equal(check_range(1, PROGRAMS + 1), 0);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_checker_finds_what_is_seeded),
        cmocka_unit_test(invariants_of_structs_are_evaluated),
        cmocka_unit_test(broken_invariants_end_the_process),
        cmocka_unit_test(generated_programs_break_no_invariant),
    };
    if (argc == 5 && !strcmp(argv[1], "--from")) {
        unsigned failures = check_range(strtoull(argv[2], NULL, 10), strtoull(argv[4], NULL, 10) + 1);
        printf("%u break an invariant\n", failures);
        return failures > 0;
    }
    return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}
