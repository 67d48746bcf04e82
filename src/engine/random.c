/* The engine `random`: runs schedules at random.  It may find a violation; its verdict is never `safe`.
 *
 * Two schedulers run in turn.  The uniform one takes each enabled transition with the same probability.  The other is
 * the probabilistic one of Burckhardt et al. (PCT): every thread, and every store buffer as if it were a thread, gets a
 * random priority; the highest enabled one runs; at a few random points of the run the running one drops below all
 * others.  It finds errors that need few, badly placed, switches. */
#include "engine/random.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "engine/random_source.h"
#include "util/memory.h"

#define CHANGE_POINTS 4

struct runner {
    const struct task *task;
    const struct random_options *options;
    struct verdict *verdict;
    struct machine *machine;
    struct random_source source;
    struct vector steps; /* of struct transition */
    bool pct;
    uint64_t *priorities; /* by thread: its steps at 2 * slot, its drains at 2 * slot + 1; 0: not given yet */
    size_t priorities_count;
    uint64_t change_points[CHANGE_POINTS];
    uint64_t lowest;      /* priorities after a drop decrease from here */
    uint64_t longest_run; /* so far: change points are spread over it */
};

static uint64_t *priority_of(struct runner *runner, struct transition transition) {
    size_t index = 2 * (size_t)transition.thread + (transition.kind == TRANSITION_DRAIN);
    if (index >= runner->priorities_count) {
        size_t count = 2 * index + 8;
        runner->priorities = memory_resize(runner->priorities, count * sizeof *runner->priorities);
        memset(runner->priorities + runner->priorities_count, 0,
               (count - runner->priorities_count) * sizeof *runner->priorities);
        runner->priorities_count = count;
    }
    uint64_t *priority = &runner->priorities[index];
    if (*priority == 0) {
        *priority = UINT32_MAX + (random_next(&runner->source) >> 8);
    }
    return priority;
}

static struct transition pick_pct(struct runner *runner, const struct transition *enabled, size_t count,
                                  uint64_t step) {
    size_t best = 0;
    for (size_t i = 1; i < count; i++) {
        if (*priority_of(runner, enabled[i]) > *priority_of(runner, enabled[best])) {
            best = i;
        }
    }
    for (int i = 0; i < CHANGE_POINTS; i++) {
        if (runner->change_points[i] == step) {
            *priority_of(runner, enabled[best]) = --runner->lowest;
            return pick_pct(runner, enabled, count, UINT64_MAX);
        }
    }
    return enabled[best];
}

static void begin_run(struct runner *runner, uint64_t run) {
    enum scheduler scheduler = runner->options->scheduler;
    runner->pct = scheduler == SCHEDULER_PCT || (scheduler == SCHEDULER_BOTH && run % 2 == 1);
    runner->source = random_source_from(runner->options->seed * UINT64_C(0x100000001b3) + run);
    runner->steps.count = 0;
    if (runner->priorities_count > 0) {
        memset(runner->priorities, 0, runner->priorities_count * sizeof *runner->priorities);
    }
    runner->lowest = UINT32_MAX;
    for (int i = 0; i < CHANGE_POINTS; i++) {
        runner->change_points[i] = random_below(&runner->source, runner->longest_run + 1);
    }
}

/* One execution, to its end or to the limit of steps. */
static enum outcome run_once(struct runner *runner) {
    struct machine *machine = runner->machine;
    for (uint64_t step = 0; step < runner->options->steps; step++) {
        const struct transition *enabled;
        size_t count = machine_enabled(machine, &enabled);
        if (count == 0 || limits_reached(runner->task->limits)) {
            break;
        }
        struct transition transition =
            runner->pct ? pick_pct(runner, enabled, count, step) : enabled[random_below(&runner->source, count)];
        if (transition.kind == TRANSITION_STEP) {
            transition.choice = random_below(&runner->source, machine_choices(machine, transition.thread));
        }
        *(struct transition *)vector_room(&runner->steps) = transition;
        machine_take(machine, transition);
        if (progress_due(runner->task->progress)) {
            progress_show(runner->task->progress, "%" PRIu64 " runs",
                          runner->verdict->traces + runner->verdict->blocked);
        }
    }
    if (runner->steps.count > runner->longest_run) {
        runner->longest_run = runner->steps.count;
    }
    return machine_outcome(machine);
}

static void count_outcome(struct verdict *verdict, enum outcome outcome) {
    switch (outcome) {
    case OUTCOME_COMPLETE:
        verdict->traces++;
        break;
    case OUTCOME_BLOCKED:
    case OUTCOME_ASSUME:
        verdict->blocked++;
        break;
    default:
        verdict->cut++;
        break;
    }
}

static void random_run(const struct task *task, struct verdict *verdict) {
    struct runner runner = {.task = task, .options = random_options(task), .verdict = verdict, .longest_run = 100};
    vector_init(&runner.steps, sizeof(struct transition));
    runner.machine = machine_new(task->program, &task->machine);
    machine_mark start = machine_set_mark(runner.machine);
    uint64_t run = 0;
    for (; run < runner.options->runs && verdict->word != VERDICT_VIOLATION; run++) {
        begin_run(&runner, run);
        enum outcome outcome = run_once(&runner);
        if (limits_reached(task->limits) && outcome != OUTCOME_ERROR) {
            break;
        }
        if (outcome == OUTCOME_ERROR) {
            verdict_set_violation(verdict, task, runner.machine, machine_error(runner.machine), runner.steps.data,
                                  runner.steps.count);
        } else {
            count_outcome(verdict, outcome);
        }
        machine_undo(runner.machine, start);
    }
    if (verdict->word != VERDICT_VIOLATION) {
        const char *reason = limits_reason(task->limits);
        snprintf(verdict->reason, sizeof verdict->reason, "%llu random runs found nothing%s%s", (unsigned long long)run,
                 reason ? ", then " : "", reason ? reason : "");
    }
    machine_free(runner.machine);
    vector_delete(&runner.steps);
    free(runner.priorities);
}

static const struct random_options defaults = {.runs = 1000, .seed = 1, .steps = 100000};

const struct engine engine_random = {
    .name = "random",
    .what = "runs schedules at random: finds violations, never says safe",
    .run = random_run,
    .defaults = &defaults.common,
};
