/* The engine `brute`: visits all transitions, depth first.  It is the reference with which tests compare other engines,
 * for small programs.
 *
 * To decide, and to collect final states, it stores every state (as a 128-bit hash) and never visits one twice; so it
 * ends on endless programs, too, if they have finitely many states.  To collect traces it stores each state together
 * with the trace that led there: two executions with both in common have the same future.
 *
 * With a restriction it visits only executions with a bounded number of rounds, or bounded age of stores
 * (restriction.h); then the part of the bound that is left belongs to the state. */
#include "engine/brute.h"

#include <stdlib.h>
#include <string.h>

#include "engine/trace.h"
#include "engine/visited.h"
#include "machine/describe.h"
#include "util/memory.h"

#define MAX_CHOICES 4096
#define MAX_RUN 100 /* greatest number of steps without storing a state */

/* A state of the current execution; its transitions that were not yet taken are in `pending`, before those of the next
 * level. */
struct level {
    machine_mark mark;
    size_t pending_first;
    size_t path_length;
    size_t trace_length;
};

struct brute_search {
    const struct task *task;
    const struct brute_options *options;
    struct verdict *verdict;
    struct machine *machine;
    struct vector levels;  /* of struct level */
    struct vector pending; /* of struct transition */
    struct vector path;    /* of struct transition */
    struct visited states;
    struct visited final_states;
    struct visited traces;
    struct visited blocked_traces;
    struct trace trace;
    struct round_count rounds;
    uint8_t *buffer;
    size_t capacity;
    unsigned met;    /* bits of enum met */
    bool refused;    /* a choice with too many values */
    bool restricted; /* a transition was left out because of the restriction */
};

static void collect_final_state(struct brute_search *search) {
    size_t size =
        machine_serialise_first(search->machine, search->options->shared_globals, &search->buffer, &search->capacity);
    if (visited_add(&search->final_states, XXH3_128bits(search->buffer, size))) {
        char *text = machine_shared_text(search->machine);
        vector_push(&search->verdict->collected.texts, &text);
    }
}

/* A final state is one in which all threads have ended, but for the one that has ended the process (and, on request,
 * those at a HALT); then all buffers are empty. */
static bool all_threads_ended(const struct machine *machine, bool or_halted) {
    uint32_t unfinished = 0;
    for (uint32_t t = 0; t < machine_threads(machine); t++) {
        unfinished += machine_thread_exists(machine, t) && !machine_thread_finished(machine, t) &&
                      !(or_halted && machine_thread_halted(machine, t));
    }
    return unfinished <= machine_exited(machine);
}

/* The machine is in a final state. */
static void meet_final_state(struct brute_search *search) {
    const struct brute_options *options = search->options;
    collect_final_state(search);
    if (options->unwanted && options->unwanted(options->unwanted_data, search->machine)) {
        struct machine_error error = {.kind = ERROR_STATE, .pos = machine_thread_pos(search->machine, 0)};
        snprintf(error.message, sizeof error.message, "a final state that the program does not have under SC");
        verdict_set_violation(search->verdict, search->task, search->machine, &error, search->path.data,
                              search->path.count);
    }
}

static bool some_thread_stopped(const struct machine *machine) {
    for (uint32_t t = 0; t < machine_threads(machine); t++) {
        if (machine_thread_exists(machine, t) && machine_thread_stopped(machine, t)) {
            return true;
        }
    }
    return false;
}

static bool some_section_waits(const struct machine *machine) {
    for (uint32_t t = 0; t < machine_threads(machine); t++) {
        if (machine_in_atomic(machine, t)) {
            return true;
        }
    }
    return false;
}

/* Is the execution to be counted?  Of traces only new ones are.  With them, an error after the end of the process, or
 * after a failed assumption on which it does not depend, is also found before it; so is an error of a section that
 * waits. */
static bool counts(struct brute_search *search, enum outcome outcome) {
    const struct machine *machine = search->machine;
    bool traces = search->task->collect == COLLECT_TRACES;
    switch (outcome) {
    case OUTCOME_ERROR:
        return !traces || !((machine_exited(machine) && machine_error(machine)->kind != ERROR_LEAK) ||
                            some_thread_stopped(machine));
    case OUTCOME_COMPLETE:
        return !traces || visited_add(&search->traces, trace_name(&search->trace));
    case OUTCOME_BLOCKED:
    case OUTCOME_ASSUME:
        return !traces ||
               (!some_section_waits(machine) && visited_add(&search->blocked_traces, trace_name(&search->trace)));
    default:
        return true;
    }
}

/* An execution has ended here. */
static void end_path(struct brute_search *search, enum outcome outcome) {
    struct machine *machine = search->machine;
    const struct brute_options *options = search->options;
    bool counted = counts(search, outcome);
    if (outcome == OUTCOME_ERROR && options->deadlocks_pass && machine_error(machine)->kind == ERROR_DEADLOCK) {
        outcome = OUTCOME_BLOCKED;
    }
    if (counted) {
        verdict_add_execution(search->verdict, search->task, machine, outcome, &search->path);
    }
    if (counted && outcome == OUTCOME_COMPLETE && search->task->final) {
        search->task->final(search->task->final_data, machine);
    }
    if ((outcome == OUTCOME_COMPLETE && search->task->collect == COLLECT_STATES && all_threads_ended(machine, false)) ||
        (outcome == OUTCOME_BLOCKED && options->unwanted && all_threads_ended(machine, true))) {
        meet_final_state(search);
    }
    search->met |= machine_met(machine);
}

static XXH128_hash_t state_name(struct brute_search *search) {
    size_t size = machine_serialise(search->machine, &search->buffer, &search->capacity);
    if (search->task->restriction.kind != RESTRICTION_NONE) {
        size = round_count_serialise(&search->rounds, size, &search->buffer, &search->capacity);
    }
    XXH128_hash_t name = XXH3_128bits(search->buffer, size);
    if (search->task->collect != COLLECT_TRACES) {
        return name;
    }
    const XXH128_hash_t both[] = {name, trace_name(&search->trace)};
    return XXH3_128bits(both, sizeof both);
}

/* Visits the machine's state: its transitions become a new level. */
static void enter(struct brute_search *search) {
    struct machine *machine = search->machine;
    struct level level = {.pending_first = search->pending.count,
                          .path_length = search->path.count,
                          .trace_length = search->trace.steps.count};
    if (visited_add(&search->states, state_name(search))) {
        search->verdict->states++;
        enum outcome outcome = machine_outcome(machine);
        if (outcome != OUTCOME_RUNNING) {
            end_path(search, outcome);
        } else {
            const struct transition *enabled;
            size_t count = machine_enabled(machine, &enabled);
            for (size_t i = count; i-- > 0;) {
                struct transition transition = enabled[i];
                if (!round_count_allows(&search->rounds, transition)) {
                    search->restricted = true;
                    continue;
                }
                if (search->options->allows &&
                    !search->options->allows(search->options->allows_data, machine, transition)) {
                    continue;
                }
                uint64_t choices = transition.kind == TRANSITION_STEP ? machine_choices(machine, transition.thread) : 1;
                if (choices > MAX_CHOICES) {
                    search->refused = true;
                    continue;
                }
                for (uint64_t choice = choices; choice-- > 0;) {
                    if (transition.kind == TRANSITION_STEP) {
                        transition.choice = choice;
                    }
                    vector_push(&search->pending, &transition);
                }
            }
        }
    }
    level.mark = machine_set_mark(machine);
    vector_push(&search->levels, &level);
}

static void take(struct brute_search *search, struct transition transition) {
    bool traces = search->task->collect == COLLECT_TRACES;
    vector_push(&search->path, &transition);
    if (traces) {
        machine_look(search->machine, transition);
    }
    machine_take(search->machine, transition);
    round_count_follow(&search->rounds, search->machine, transition);
    if (traces) {
        trace_add(&search->trace, search->machine);
    }
}

/* Is there only one transition, in an atomic section?  Then no other path that matters leads to the next state, and it
 * need not be stored; only now and then one is, so that an endless section is found. */
static bool runs_on(struct machine *machine, struct transition *next) {
    const struct transition *enabled;
    if (!machine_in_atomic(machine, next->thread) || machine_outcome(machine) != OUTCOME_RUNNING ||
        machine_enabled(machine, &enabled) != 1 || enabled[0].kind != TRANSITION_STEP) {
        return false;
    }
    *next = enabled[0];
    return machine_choices(machine, next->thread) == 1;
}

static void search_all(struct brute_search *search) {
    enter(search);
    while (search->levels.count > 0 && search->verdict->word != VERDICT_VIOLATION &&
           !limits_reached(search->task->limits)) {
        struct level *level = vector_at(&search->levels, search->levels.count - 1);
        machine_undo(search->machine, level->mark);
        for (; search->path.count > level->path_length; search->path.count--) {
            round_count_back(&search->rounds);
        }
        trace_cut(&search->trace, level->trace_length);
        if (search->pending.count == level->pending_first) {
            search->levels.count--;
            search->pending.count = level->pending_first;
            continue;
        }
        struct transition transition = *(struct transition *)vector_at(&search->pending, --search->pending.count);
        unsigned steps = 0;
        do {
            take(search, transition);
        } while (++steps < MAX_RUN && runs_on(search->machine, &transition));
        enter(search);
        if (progress_due(search->task->progress)) {
            progress_show(search->task->progress, "%llu states, %llu executions",
                          (unsigned long long)search->verdict->states, (unsigned long long)search->verdict->traces);
        }
    }
}

static void decide(struct brute_search *search) {
    struct verdict *verdict = search->verdict;
    if (search->refused && verdict->word != VERDICT_VIOLATION) {
        snprintf(verdict->reason, sizeof verdict->reason,
                 "a nondeterministic value has more than %d possible values, too many to try them all", MAX_CHOICES);
    }
    if (verdict_conclude(verdict, search->task, search->met) && search->restricted) {
        verdict_add_restriction(verdict, search->task->restriction);
    }
}

static void brute_run(const struct task *task, struct verdict *verdict) {
    struct brute_search search = {.task = task, .options = brute_options(task), .verdict = verdict};
    struct machine_options options = task->machine;
    options.awaits = task->collect == COLLECT_TRACES ? AWAIT_BLOCK : AWAIT_SPIN;
    options.run_on = task->collect == COLLECT_TRACES; /* one trace, whenever the process ends */
    vector_init(&search.levels, sizeof(struct level));
    vector_init(&search.pending, sizeof(struct transition));
    vector_init(&search.path, sizeof(struct transition));
    visited_init(&search.states);
    visited_init(&search.final_states);
    visited_init(&search.traces);
    visited_init(&search.blocked_traces);
    trace_init(&search.trace, task->program);
    round_count_init(&search.rounds, task->restriction);
    search.machine = machine_new(task->program, &options);
    search_all(&search);
    decide(&search);
    verdict->collected.states = visited_digest(&search.final_states);
    verdict->collected.traces = search.traces.count;
    verdict->collected.blocked = search.blocked_traces.count;
    verdict->collected.digest = visited_digest(&search.traces);
    machine_free(search.machine);
    vector_delete(&search.levels);
    vector_delete(&search.pending);
    vector_delete(&search.path);
    visited_delete(&search.states);
    visited_delete(&search.final_states);
    visited_delete(&search.traces);
    visited_delete(&search.blocked_traces);
    trace_delete(&search.trace);
    round_count_delete(&search.rounds);
    free(search.buffer);
}

static const struct brute_options defaults = {.allows = NULL};

const struct engine engine_brute = {
    .name = "brute",
    .what = "visits all transitions: for small programs",
    .run = brute_run,
    .keeps_to = RESTRICTION_ANY,
    .defaults = &defaults.common,
};
