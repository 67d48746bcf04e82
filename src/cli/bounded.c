/* The engines `rounds` and `age`: the translation of src/bound/, checked under SC, and the way back.
 *
 * A bound K is tried by translating the program and searching the translated one, which has no store buffers.  If
 * nothing is found, a second search asks whether the bound left anything out: whether some thread wants a round beyond
 * its K-th in which anything happens, or some store can stay longer than K rounds.  If not, the program is safe without
 * a bound.  Otherwise, unless the user gave K, it is raised.
 *
 * What is found is an execution of the translated program.  It is run once more on a translation with markers, which
 * tell when a step of the original program happens and when its stores drain; the same is done to the original program
 * on the TSO machine, step by step, and that execution is the witness. */
#include "cli/bounded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bound/bound.h"
#include "util/memory.h"

/* --- The way back ------------------------------------------------------------------------------------------------- */

/* Of one thread of the original program. */
struct back_thread {
    uint64_t round;
    uint64_t choice;      /* of the last step of the translated program that had several */
    uint64_t wakes;       /* number + 1 of the thread that its next step wakes, 0: none */
    struct vector drains; /* of uint64_t: the rounds in which the entries of its buffer drain, oldest first */
    size_t first;         /* of those that are left */
};

struct way_back {
    const struct task *task;
    struct machine *translated;
    struct machine *original;
    struct vector threads; /* of struct back_thread, by the thread's number */
    struct vector steps;   /* of struct transition, on the original */
    bool lost;             /* the original cannot follow */
};

static struct back_thread *thread_numbered(struct way_back *way, uint32_t number) {
    while (way->threads.count <= number) {
        struct back_thread *thread = vector_grow(&way->threads, 1);
        *thread = (struct back_thread){0};
        vector_init(&thread->drains, sizeof(uint64_t));
    }
    return vector_at(&way->threads, number);
}

static bool original_runs(struct way_back *way) {
    return !way->lost && machine_outcome(way->original) == OUTCOME_RUNNING;
}

static void take_original(struct way_back *way, struct transition transition) {
    if (!machine_is_enabled(way->original, transition)) {
        way->lost = true;
        return;
    }
    machine_take(way->original, transition);
    vector_push(&way->steps, &transition);
}

/* Drains what has its round now. */
static void drain_due(struct way_back *way, uint32_t slot, struct back_thread *thread) {
    while (original_runs(way) && thread->first < thread->drains.count &&
           *(uint64_t *)vector_at(&thread->drains, thread->first) <= thread->round) {
        const struct buffer_entry *entries;
        if (machine_buffer(way->original, slot, &entries) == 0) {
            way->lost = true;
            return;
        }
        thread->first++;
        take_original(way, (struct transition){.thread = slot, .kind = TRANSITION_DRAIN, .choice = entries->serial});
    }
}

static bool is_access(const struct step *step) {
    return step->kind == STEP_LOAD || step->kind == STEP_STORE || step->kind == STEP_RMW || step->kind == STEP_CAS;
}

/* The choice with which the next step wakes the thread that it is to wake: that is seen by trying. */
static uint64_t waking_choice(struct way_back *way, uint32_t slot, uint64_t woken) {
    struct transition transition = {.thread = slot, .kind = TRANSITION_STEP};
    uint64_t choices = machine_choices(way->original, slot);
    for (; transition.choice + 1 < choices; transition.choice++) {
        machine_mark mark = machine_set_mark(way->original);
        machine_take(way->original, transition);
        uint64_t other = machine_last(way->original)->other;
        machine_undo(way->original, mark);
        if (machine_thread_number(way->original, (uint32_t)other) + 1 == woken) {
            break;
        }
    }
    return transition.choice;
}

/* The next step of the original thread.  Reads of constants are told as steps, too, but are none. */
static void step_original(struct way_back *way, uint32_t slot, struct back_thread *thread, uint64_t address) {
    struct transition transition = {.thread = slot, .kind = TRANSITION_STEP};
    struct step step;
    machine_next(way->original, transition, &step);
    if (address != 0 && (!is_access(&step) || step.address != address) && step.kind != STEP_FREE &&
        step.kind != STEP_LEAVE) {
        return;
    }
    if (!machine_is_enabled(way->original, transition) && machine_thread_awaits(way->original, slot)) {
        return; /* nothing has changed since the thread looked: it would see the same again */
    }
    if (thread->wakes != 0) {
        transition.choice = waking_choice(way, slot, thread->wakes);
    } else {
        transition.choice = thread->choice < machine_choices(way->original, slot) ? thread->choice : 0;
    }
    thread->choice = thread->wakes = 0;
    take_original(way, transition);
}

static void follow_marker(struct way_back *way, uint32_t number, unsigned marker, uint64_t value) {
    struct back_thread *thread = thread_numbered(way, number);
    int64_t slot = machine_thread_numbered(way->original, number);
    if (slot < 0 || !original_runs(way)) {
        way->lost = way->lost || slot < 0;
        return;
    }
    switch (marker) {
    case MARKER_STEP:
        step_original(way, (uint32_t)slot, thread, value);
        break;
    case MARKER_DELAY:
        value += thread->round;
        vector_push(&thread->drains, &value);
        drain_due(way, (uint32_t)slot, thread);
        break;
    case MARKER_ROUND:
        thread->round++;
        drain_due(way, (uint32_t)slot, thread);
        break;
    default:
        thread->wakes = value;
        break;
    }
}

static bool is_marker(const struct step *step) {
    return step->kind == STEP_NONDET && step->size >= MARKER_WAKES && step->size <= MARKER_ROUND;
}

/* Takes the markers at which the thread stands, and does what they say. */
static void pass_markers(struct way_back *way, uint32_t slot) {
    struct transition transition = {.thread = slot, .kind = TRANSITION_STEP};
    while (machine_is_enabled(way->translated, transition)) {
        struct step step;
        machine_next(way->translated, transition, &step);
        if (!is_marker(&step)) {
            return;
        }
        machine_take(way->translated, transition);
        follow_marker(way, machine_thread_number(way->translated, slot), step.size,
                      machine_last(way->translated)->result);
    }
}

/* Does the original what the execution of the translated program tells, up to the error.  False if it cannot. */
static bool go_back(struct way_back *way, const struct witness *witness) {
    struct transition transition = {0};
    for (size_t i = 0; i < witness->steps.count && original_runs(way); i++) {
        if (!witness_transition(witness, i, way->translated, &transition)) {
            return false;
        }
        pass_markers(way, transition.thread);
        if (!machine_is_enabled(way->translated, transition)) {
            return !original_runs(way) && !way->lost;
        }
        struct step step;
        machine_next(way->translated, transition, &step);
        machine_take(way->translated, transition);
        bool bookkeeping = step.kind == STEP_NONDET && step.size >= CHOICE_WAITER && step.size <= CHOICE_DELAY;
        if (!bookkeeping && (step.kind == STEP_NONDET || step.kind == STEP_SYNC)) {
            thread_numbered(way, machine_thread_number(way->translated, transition.thread))->choice = transition.choice;
        }
        pass_markers(way, transition.thread);
    }
    if (original_runs(way) && machine_outcome(way->translated) == OUTCOME_ERROR) {
        /* The step in which the error lies was not told. */
        uint32_t number = machine_thread_number(way->translated, machine_error(way->translated)->thread);
        follow_marker(way, number, MARKER_STEP, 0);
    }
    return !way->lost && machine_outcome(way->original) == OUTCOME_ERROR;
}

/* Turns a violation of the translated program into one of the original. */
static void map_back(const struct task *task, const struct bound_options *options, const struct witness *found,
                     struct verdict *verdict) {
    struct bound_options marked = *options;
    struct diagnostics diagnostics;
    struct program program;
    struct way_back way = {.task = task};
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
    way.original = machine_new(task->program, &machine_options);
    machine_options = witness_machine_options(found);
    way.translated = machine_new(&program, &machine_options);
    vector_init(&way.threads, sizeof(struct back_thread));
    vector_init(&way.steps, sizeof(struct transition));
    if (go_back(&way, found)) {
        verdict_set_violation(verdict, task, way.original, machine_error(way.original), way.steps.data,
                              way.steps.count);
    } else {
        verdict->word = VERDICT_DEFECT;
        snprintf(verdict->reason, sizeof verdict->reason,
                 "an error of the translated program (%s, line %u) is none of the program", error_names[found->kind],
                 found->line);
    }
    for (size_t i = 0; i < way.threads.count; i++) {
        vector_delete(&((struct back_thread *)vector_at(&way.threads, i))->drains);
    }
    vector_delete(&way.threads);
    vector_delete(&way.steps);
    machine_free(way.original);
    machine_free(way.translated);
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

/* Translates and searches.  False if the program cannot be translated: then the verdict says so. */
static bool search(const struct task *task, const struct bound_options *options, struct verdict *found,
                   struct verdict *verdict) {
    struct diagnostics diagnostics;
    struct program program;
    diagnostics_init(&diagnostics);
    if (!bound_translate(task->program, options, &program, &diagnostics)) {
        const struct diagnostic *first = vector_at(&diagnostics.list, 0);
        verdict_refuse(verdict, first->file, first->line, first->message);
        diagnostics_delete(&diagnostics);
        return false;
    }
    diagnostics_delete(&diagnostics);
    struct task translated = *task;
    translated.program = &program;
    translated.machine.model = MODEL_SC;
    translated.machine.spurious = false;
    translated.machine.malloc_fail = false;
    translated.restriction = (struct restriction){RESTRICTION_NONE, 0};
    translated.collect = COLLECT_NOTHING;
    uint64_t last = bound_last_address(&program, task->program);
    translated.allows = allows;
    translated.allows_data = &last;
    verdict_init(found);
    engine_brute.run(&translated, found);
    verdict->states += found->states;
    verdict->queries++;
    bool refused = found->word == VERDICT_VIOLATION && bound_message_refuses(found->error.message);
    if (refused) {
        verdict_refuse(verdict, found->witness.file, found->witness.line, found->error.message);
        verdict_delete(found);
    }
    program_delete(&program);
    return !refused;
}

static void add_bounds(const struct bound_options *options, const struct verdict *found, struct verdict *verdict) {
    if (options->kind == BOUND_ROUNDS) {
        verdict_add_bound(verdict, "at most %u rounds per thread", options->bound);
    } else {
        verdict_add_bound(verdict, "stores drain within %u further rounds", options->bound);
    }
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
    if (found.word == VERDICT_UNDECIDED) {
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
    bool complete = wanted.word == VERDICT_SAFE;
    bool limit = wanted.word == VERDICT_UNDECIDED;
    if (complete || given) {
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
        .copies = task->copies,
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
    if (task->machine.check_leaks || task->machine.check_liveness || task->machine.check_uninit ||
        task->machine.check_races) {
        return "the engines rounds and age do not answer for races, leaks, uninitialised values and liveness: use "
               "another "
               "engine";
    }
    if (task->restriction.kind != RESTRICTION_NONE && task->restriction.bound > BOUND_MOST) {
        return "the engines rounds and age translate at most 200 rounds";
    }
    return task->collect != COLLECT_NOTHING ? "the engines rounds and age collect nothing: use another engine" : NULL;
}

const struct engine engine_rounds = {
    .name = "rounds",
    .what = "translates TSO to SC for a bounded number of rounds per thread",
    .run = rounds_run,
    .refuses = bounded_refuses,
    .omits = "deadlocks",
    .keeps_to = RESTRICTION_ROUNDS,
};

const struct engine engine_age = {
    .name = "age",
    .what = "translates TSO to SC for a bounded age of stores",
    .run = age_run,
    .refuses = bounded_refuses,
    .omits = "deadlocks",
    .keeps_to = RESTRICTION_AGE,
};
