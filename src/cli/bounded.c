/* The engines `rounds` and `age`: the translation of src/bound/, checked under SC, and translating executions back.
 *
 * For a bound K the program is translated and the translation, which has no store buffers, is searched.  If no error is
 * found, a second search decides whether the bound leaves anything out: whether some thread takes a step in a round
 * beyond its K-th, or some store can be older than K rounds.  If not, the program is safe without a bound.  Otherwise,
 * unless the user gave K, K is raised.
 *
 * The execution found is one of the translation.  It is run once more on a translation with markers, which tell when a
 * step of the original program happens and when its stores drain; the original program takes the same steps on the TSO
 * machine, and that execution is the witness. */
#include "cli/bounded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bound/bound.h"
#include "engine/brute.h"
#include "util/memory.h"

/* --- Translating back --------------------------------------------------------------------------------------------- */

/* Of one thread of the original program. */
struct back_thread {
    uint64_t round;
    uint64_t choice;      /* of the last step of the translated program that had several */
    uint64_t wakes;       /* number + 1 of the thread that its next step wakes, 0: none */
    struct vector drains; /* of uint64_t: the rounds in which the entries of its buffer drain, oldest first */
    size_t first;         /* of those that are left */
};

struct back_translation {
    const struct task *task;
    struct machine *translated;
    struct machine *original;
    struct vector threads; /* of struct back_thread, by the thread's number */
    struct vector steps;   /* of struct transition, on the original */
    bool lost;             /* the original cannot follow */
};

static struct back_thread *thread_numbered(struct back_translation *back, uint32_t number) {
    while (back->threads.count <= number) {
        struct back_thread *thread = vector_grow(&back->threads, 1);
        *thread = (struct back_thread){0};
        vector_init(&thread->drains, sizeof(uint64_t));
    }
    return vector_at(&back->threads, number);
}

static bool original_runs(struct back_translation *back) {
    return !back->lost && machine_outcome(back->original) == OUTCOME_RUNNING;
}

static void take_original(struct back_translation *back, struct transition transition) {
    if (!machine_is_enabled(back->original, transition)) {
        back->lost = true;
        return;
    }
    machine_take(back->original, transition);
    vector_push(&back->steps, &transition);
}

/* Drains what has its round now. */
static void drain_due(struct back_translation *back, uint32_t slot, struct back_thread *thread) {
    while (original_runs(back) && thread->first < thread->drains.count &&
           *(uint64_t *)vector_at(&thread->drains, thread->first) <= thread->round) {
        const struct buffer_entry *entries;
        if (machine_buffer(back->original, slot, &entries) == 0) {
            back->lost = true;
            return;
        }
        thread->first++;
        take_original(back, (struct transition){.thread = slot, .kind = TRANSITION_DRAIN, .choice = entries->serial});
    }
}

static bool is_access(const struct step *step) {
    return step->kind == STEP_LOAD || step->kind == STEP_STORE || step->kind == STEP_RMW || step->kind == STEP_CAS;
}

/* The next step of the original thread.  Reads of constants have markers, too, but are no steps. */
static void step_original(struct back_translation *back, uint32_t slot, struct back_thread *thread, uint64_t address) {
    struct transition transition = {.thread = slot, .kind = TRANSITION_STEP};
    struct step step;
    machine_next(back->original, transition, &step);
    if (address != 0 && (!is_access(&step) || step.address != address) && step.kind != STEP_FREE &&
        step.kind != STEP_LEAVE) {
        return;
    }
    if (!machine_is_enabled(back->original, transition) && machine_thread_awaits(back->original, slot)) {
        return; /* nothing has changed since the thread has read: it would read the same again */
    }
    if (thread->wakes != 0) {
        transition.choice = waking_choice(back->original, slot, thread->wakes);
    } else {
        transition.choice = thread->choice < machine_choices(back->original, slot) ? thread->choice : 0;
    }
    thread->choice = thread->wakes = 0;
    take_original(back, transition);
}

/* Ends the threads that stand at pthread_exit after their last round, in which their locals have ended.  In the
 * original thread and locals end in one step, which must come before an access to such a local. */
static void end_exiting(struct back_translation *back) {
    const struct program *program = machine_program(back->translated);
    for (uint32_t t = 0; t < machine_threads(back->translated) && original_runs(back); t++) {
        bool runs = machine_thread_exists(back->translated, t) && !machine_thread_finished(back->translated, t);
        const struct instruction *at = runs ? &program->code[machine_thread_instruction(back->translated, t)] : NULL;
        if (at && at->op == OP_SYNC && at->width == SYNC_THREAD_EXIT) {
            int64_t slot = machine_thread_numbered(back->original, machine_thread_number(back->translated, t));
            take_original(back, (struct transition){.thread = (uint32_t)slot, .kind = TRANSITION_STEP});
        }
    }
}

static void follow_marker(struct back_translation *back, uint32_t number, unsigned marker, uint64_t value) {
    struct back_thread *thread = thread_numbered(back, number);
    int64_t slot = machine_thread_numbered(back->original, number);
    uint64_t ignored[2];
    if (slot < 0 || !original_runs(back)) {
        back->lost = back->lost || slot < 0;
        return;
    }
    switch (marker) {
    case MARKER_STEP:
        if (value != 0 && !machine_peek(back->translated, value, 1, ignored)) {
            end_exiting(back);
        }
        step_original(back, (uint32_t)slot, thread, value);
        break;
    case MARKER_DELAY:
        value += thread->round;
        vector_push(&thread->drains, &value);
        drain_due(back, (uint32_t)slot, thread);
        break;
    case MARKER_ROUND:
        thread->round++;
        drain_due(back, (uint32_t)slot, thread);
        break;
    default:
        thread->wakes = value;
        break;
    }
}

static bool is_marker(const struct step *step) {
    return step->kind == STEP_NONDET && step->size >= MARKER_WAKES && step->size <= MARKER_ROUND;
}

/* The end of a thread or of the process has no marker.  A thread ends in a step after its last round, and before that
 * step other threads may have a round in which they check whether it has ended. */
static bool is_end(const struct step *step) {
    return step->kind == STEP_EXIT || (step->kind == STEP_SYNC && step->sub == SYNC_THREAD_EXIT);
}

/* Executes the markers that the thread has reached. */
static void pass_markers(struct back_translation *back, uint32_t slot) {
    struct transition transition = {.thread = slot, .kind = TRANSITION_STEP};
    while (machine_is_enabled(back->translated, transition)) {
        struct step step;
        machine_next(back->translated, transition, &step);
        if (!is_marker(&step)) {
            return;
        }
        machine_take(back->translated, transition);
        follow_marker(back, machine_thread_number(back->translated, slot), step.size,
                      machine_last(back->translated)->result);
    }
}

/* Takes the steps of the translated program's execution on the original, up to the error.  False if that is not
 * possible. */
static bool go_back(struct back_translation *back, const struct witness *witness) {
    struct transition transition = {0};
    for (size_t i = 0; i < witness->steps.count && original_runs(back); i++) {
        if (!witness_step_transition(vector_at(&witness->steps, i), back->translated, &transition)) {
            return false;
        }
        pass_markers(back, transition.thread);
        if (!machine_is_enabled(back->translated, transition)) {
            return !original_runs(back) && !back->lost;
        }
        struct step step;
        machine_next(back->translated, transition, &step);
        machine_take(back->translated, transition);
        uint32_t number = machine_thread_number(back->translated, transition.thread);
        bool bookkeeping = step.kind == STEP_NONDET && step.size >= CHOICE_WAITER && step.size <= CHOICE_DELAY;
        if (is_end(&step)) {
            follow_marker(back, number, MARKER_STEP, 0);
        } else if (!bookkeeping && (step.kind == STEP_NONDET || step.kind == STEP_SYNC)) {
            thread_numbered(back, number)->choice = transition.choice;
        }
        pass_markers(back, transition.thread);
    }
    if (original_runs(back) && machine_outcome(back->translated) == OUTCOME_ERROR) {
        /* The step with the error had no marker. */
        if (machine_error(back->translated)->kind == ERROR_DANGLING) {
            end_exiting(back);
        }
        uint32_t number = machine_thread_number(back->translated, machine_error(back->translated)->thread);
        follow_marker(back, number, MARKER_STEP, 0);
    }
    return !back->lost && machine_outcome(back->original) == OUTCOME_ERROR;
}

/* Turns a violation of the translated program into one of the original. */
static void map_back(const struct task *task, const struct bound_options *options, const struct witness *found,
                     struct verdict *verdict) {
    struct bound_options marked = *options;
    struct diagnostics diagnostics;
    struct program program;
    struct back_translation back = {.task = task};
    marked.markers = true;
    diagnostics_init(&diagnostics);
    bool translated = bound_translate(task->program, &marked, &program, &diagnostics);
    diagnostics_delete(&diagnostics);
    if (!translated) {
        verdict->word = VERDICT_DEFECT;
        snprintf(verdict->reason, sizeof verdict->reason, "a program was translated once, but not twice");
        return;
    }
    struct machine_options machine_options = task->machine;
    machine_options.awaits = AWAIT_SPIN;
    back.original = machine_new(task->program, &machine_options);
    machine_options = witness_machine_options(found);
    back.translated = machine_new(&program, &machine_options);
    vector_init(&back.threads, sizeof(struct back_thread));
    vector_init(&back.steps, sizeof(struct transition));
    if (go_back(&back, found)) {
        verdict_set_violation(verdict, task, back.original, machine_error(back.original), back.steps.data,
                              back.steps.count);
    } else {
        verdict->word = VERDICT_DEFECT;
        snprintf(verdict->reason, sizeof verdict->reason,
                 "an error of the translated program (%s, line %u) is none of the program", error_names[found->kind],
                 found->line);
    }
    for (size_t i = 0; i < back.threads.count; i++) {
        vector_delete(&((struct back_thread *)vector_at(&back.threads, i))->drains);
    }
    vector_delete(&back.threads);
    vector_delete(&back.steps);
    machine_free(back.original);
    machine_free(back.translated);
    program_delete(&program);
}

/* --- The search --------------------------------------------------------------------------------------------------- */

/* A thread whose round has just ended does not begin the next one: that would be the same round. */
static bool allows(void *data, struct machine *machine, struct transition transition) {
    const uint64_t *last = data;
    struct step step;
    uint64_t running[2];
    machine_next(machine, transition, &step);
    return step.kind != STEP_ATOMIC_BEGIN || !machine_peek(machine, *last, 8, running) ||
           running[0] != (uint64_t)machine_thread_number(machine, transition.thread) + 1;
}

/* What the translation cannot do, if anything, is what the engine refuses.  Deletes the diagnostics. */
static bool is_refused(struct diagnostics *diagnostics, struct verdict *verdict) {
    bool refused = !diagnostics_empty(diagnostics);
    if (refused) {
        const struct diagnostic *first = vector_at(&diagnostics->list, 0);
        verdict_refuse(verdict, first->file, first->line, first->message);
    }
    diagnostics_delete(diagnostics);
    return refused;
}

/* Translates and searches.  False if the program cannot be translated: then the verdict says so. */
static bool search(const struct task *task, const struct bound_options *options, struct verdict *found,
                   struct verdict *verdict) {
    struct diagnostics diagnostics;
    struct program program;
    diagnostics_init(&diagnostics);
    if (!bound_translate(task->program, options, &program, &diagnostics)) {
        is_refused(&diagnostics, verdict);
        return false;
    }
    struct task translated = *task;
    translated.program = &program;
    translated.machine.model = MODEL_SC;
    translated.machine.spurious = false;
    translated.machine.malloc_fail = false;
    translated.drops = true; /* what is not within the bound */
    translated.restriction = (struct restriction){RESTRICTION_NONE, 0};
    translated.collect = COLLECT_NOTHING;
    uint64_t last = bound_last_address(&program, task->program);
    struct brute_options brute = {.allows = allows, .allows_data = &last};
    task_give(&translated, &engine_brute, &brute.common);
    verdict_init(found);
    engine_brute.run(&translated, found);
    verdict->states += found->states;
    verdict->queries++;
    if (found->word == VERDICT_VIOLATION) {
        bound_refuses(&program, found->error.pos, found->error.message, &diagnostics);
    }
    bool refused = is_refused(&diagnostics, verdict);
    if (refused) {
        verdict_delete(found);
    }
    program_delete(&program);
    return !refused;
}

static void add_bounds(const struct bound_options *options, const struct verdict *found, struct verdict *verdict) {
    enum restriction_kind kind = options->kind == BOUND_ROUNDS ? RESTRICTION_ROUNDS : RESTRICTION_AGE;
    verdict_add_restriction(verdict, (struct restriction){kind, options->bound});
    if (found->bounded) {
        verdict_add_bound(verdict, "%s", found->bounds);
    }
}

/* A limit has ended the search; `done` is the last bound that was searched to its end, 0 if none. */
static void stop(const struct bound_options *options, uint32_t done, const char *reason, struct verdict *verdict) {
    const char *name = options->kind == BOUND_ROUNDS ? "rounds" : "age";
    int used = snprintf(verdict->reason, sizeof verdict->reason, "%.150s, at %s %u", reason, name, options->bound);
    if (done > 0) {
        snprintf(verdict->reason + used, sizeof verdict->reason - (size_t)used, "; no error with %s %u", name, done);
    }
}

/* Is everything decided that the program does within its bound, and without one? */
static bool try_bound(const struct task *task, struct bound_options *options, bool given, struct verdict *verdict) {
    struct verdict found;
    options->probe = false;
    if (!search(task, options, &found, verdict)) {
        return true;
    }
    verdict->traces = found.traces;
    verdict->blocked = found.blocked;
    verdict->cut = found.cut;
    if (found.word == VERDICT_VIOLATION) {
        map_back(task, options, &found.witness, verdict);
        verdict_delete(&found);
        return true;
    }
    if (found.word == VERDICT_UNDECIDED && !found.incomplete) {
        stop(options, given ? 0 : options->bound - 1, found.reason, verdict);
        verdict_delete(&found);
        return true;
    }
    struct verdict wanted;
    options->probe = true;
    if (!search(task, options, &wanted, verdict)) {
        verdict_delete(&found);
        return true;
    }
    bool complete = wanted.word == VERDICT_SAFE || wanted.incomplete; /* no thread has a step in a further round */
    bool limit = wanted.word == VERDICT_UNDECIDED && !complete;
    if (found.incomplete && (complete || given)) {
        stop(options, 0, found.reason, verdict);
    } else if (complete || given) {
        verdict->word = VERDICT_SAFE;
        if (!complete) {
            add_bounds(options, &found, verdict);
        } else if (found.bounded) {
            verdict_add_bound(verdict, "%s", found.bounds);
        }
    } else if (limit) {
        stop(options, options->bound, wanted.reason, verdict);
    }
    verdict_delete(&wanted);
    verdict_delete(&found);
    return complete || given || limit;
}

static void run(const struct task *task, struct verdict *verdict, enum bound_kind kind) {
    bool given = task->restriction.kind != RESTRICTION_NONE;
    struct bound_options options = {
        .kind = kind,
        .bound = given ? task->restriction.bound : 1,
        .copies = ((const struct bounded_options *)task_options(task, &engine_rounds))->copies,
        .spurious = task->machine.spurious,
        .malloc_fail = task->machine.malloc_fail,
    };
    while (!try_bound(task, &options, given, verdict)) {
        options.bound++;
    }
}

static void rounds_run(const struct task *task, struct verdict *verdict) {
    run(task, verdict, BOUND_ROUNDS);
}

static void age_run(const struct task *task, struct verdict *verdict) {
    run(task, verdict, BOUND_AGE);
}

static const char *bounded_refuses(const struct task *task) {
    if (task->machine.model != MODEL_TSO) {
        return "the engines rounds and age translate TSO to SC: use them with --model tso, or another engine";
    }
    if (task->restriction.kind != RESTRICTION_NONE && task->restriction.bound > BOUND_MOST) {
        return "the engines rounds and age translate at most 200 rounds";
    }
    return task->collect != COLLECT_NOTHING ? "the engines rounds and age collect nothing: use another engine" : NULL;
}

static const char unlooked[] =
    "the engines rounds and age do not answer for races, leaks, uninitialised values and liveness: use another engine";

static const struct bounded_options defaults = {.copies = 0};

const struct engine engine_rounds = {
    .name = "rounds",
    .what = "translates TSO to SC for a bounded number of rounds per thread",
    .run = rounds_run,
    .refuses = bounded_refuses,
    .defaults = &defaults.common,
    .unlooked = unlooked,
    .keeps_to = RESTRICTION_ROUNDS,
};

const struct engine engine_age = {
    .name = "age",
    .what = "translates TSO to SC for a bounded age of stores",
    .run = age_run,
    .refuses = bounded_refuses,
    .defaults = &defaults.common,
    .unlooked = unlooked,
    .keeps_to = RESTRICTION_AGE,
};
