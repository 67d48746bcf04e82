/* The engine `brute`: walks all transitions, depth first.  It is the reference that other engines are tested against,
 * for small programs.
 *
 * To decide, and to collect final states, it remembers every state (as a 128-bit hash) and never enters one twice; then
 * it also ends on programs that run for ever, if their states are finite in number.  To collect traces it
 * remembers each state together with the trace that led there: from then on both have the same future.
 *
 * It can keep to executions with a bounded number of rounds, or bounded age of stores (restriction.h); then what the
 * bound leaves of the future belongs to the state. */
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "engine/trace.h"
#include "engine/visited.h"
#include "machine/describe.h"
#include "util/memory.h"

#define MAX_CHOICES 4096
#define MAX_RUN 100 /* steps without remembering a state */

/* One state on the way: the transitions still to be taken from it lie in `pending` up to the next level's. */
struct level {
    machine_mark mark;
    size_t pending_first;
    size_t path_length;
    size_t trace_length;
};

struct walk {
    const struct task *task;
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

static void collect_final_state(struct walk *walk) {
    size_t size = machine_serialise_first(walk->machine, walk->task->shared_globals, &walk->buffer, &walk->capacity);
    if (visited_add(&walk->final_states, XXH3_128bits(walk->buffer, size))) {
        char *text = machine_shared_text(walk->machine);
        vector_push(&walk->verdict->collected.texts, &text);
    }
}

/* A final state is one in which all threads have ended, but for the one that has ended the process (and, if asked for,
 * those that stand at a HALT); then all buffers are empty. */
static bool all_threads_ended(const struct machine *machine, bool or_halted) {
    uint32_t unfinished = 0;
    for (uint32_t t = 0; t < machine_threads(machine); t++) {
        unfinished += machine_thread_exists(machine, t) && !machine_thread_finished(machine, t) &&
                      !(or_halted && machine_thread_halted(machine, t));
    }
    return unfinished <= machine_exited(machine);
}

/* The machine is in a final state. */
static void meet_final_state(struct walk *walk) {
    const struct task *task = walk->task;
    collect_final_state(walk);
    if (task->unwanted && task->unwanted(task->unwanted_data, walk->machine)) {
        struct machine_error error = {.kind = ERROR_STATE, .pos = machine_thread_pos(walk->machine, 0)};
        snprintf(error.message, sizeof error.message, "a final state that the program does not have under SC");
        verdict_set_violation(walk->verdict, task, walk->machine, &error, walk->path.data, walk->path.count);
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

/* An execution has ended here. */
static void end_path(struct walk *walk, enum outcome outcome) {
    struct verdict *verdict = walk->verdict;
    bool traces = walk->task->collect == COLLECT_TRACES;
    switch (outcome) {
    case OUTCOME_ERROR:
        /* An error behind the end of the process, or behind a failed assumption that it does not depend on, is also met
         * before it. */
        if (traces && ((machine_exited(walk->machine) && machine_error(walk->machine)->kind != ERROR_LEAK) ||
                       some_thread_stopped(walk->machine))) {
            break;
        }
        if (walk->task->deadlocks_pass && machine_error(walk->machine)->kind == ERROR_DEADLOCK) {
            verdict->blocked++;
            break;
        }
        verdict_set_violation(verdict, walk->task, walk->machine, machine_error(walk->machine), walk->path.data,
                              walk->path.count);
        break;
    case OUTCOME_COMPLETE: {
        bool fresh = !traces || visited_add(&walk->traces, trace_name(&walk->trace));
        verdict->traces += fresh;
        if (fresh && walk->task->final) {
            walk->task->final(walk->task->final_data, walk->machine);
        }
        if (walk->task->collect == COLLECT_STATES && all_threads_ended(walk->machine, false)) {
            meet_final_state(walk);
        }
        break;
    }
    case OUTCOME_BLOCKED:
    case OUTCOME_ASSUME:
        if (traces && some_section_waits(walk->machine)) {
            break; /* an error, behind a failed assumption: likewise */
        }
        verdict->blocked += !traces || visited_add(&walk->blocked_traces, trace_name(&walk->trace));
        if (outcome == OUTCOME_BLOCKED && walk->task->unwanted && all_threads_ended(walk->machine, true)) {
            meet_final_state(walk);
        }
        break;
    case OUTCOME_CUT:
        verdict->cut++;
        break;
    default: /* a thread ran away, or was stopped by a limit */
        verdict->cut++;
        snprintf(verdict->reason, sizeof verdict->reason, "a thread runs on without ever reaching a visible step");
        break;
    }
    walk->met |= machine_met(walk->machine);
}

static XXH128_hash_t state_name(struct walk *walk) {
    size_t size = machine_serialise(walk->machine, &walk->buffer, &walk->capacity);
    if (walk->task->restriction.kind != RESTRICTION_NONE) {
        size = round_count_serialise(&walk->rounds, size, &walk->buffer, &walk->capacity);
    }
    XXH128_hash_t name = XXH3_128bits(walk->buffer, size);
    if (walk->task->collect != COLLECT_TRACES) {
        return name;
    }
    const XXH128_hash_t both[] = {name, trace_name(&walk->trace)};
    return XXH3_128bits(both, sizeof both);
}

/* Enters the machine's state: what can be taken from here becomes a new level. */
static void enter(struct walk *walk) {
    struct machine *machine = walk->machine;
    struct level level = {
        .pending_first = walk->pending.count, .path_length = walk->path.count, .trace_length = walk->trace.steps.count};
    if (visited_add(&walk->states, state_name(walk))) {
        walk->verdict->states++;
        enum outcome outcome = machine_outcome(machine);
        if (outcome != OUTCOME_RUNNING) {
            end_path(walk, outcome);
        } else {
            const struct transition *enabled;
            size_t count = machine_enabled(machine, &enabled);
            for (size_t i = count; i-- > 0;) {
                struct transition transition = enabled[i];
                if (!round_count_allows(&walk->rounds, transition)) {
                    walk->restricted = true;
                    continue;
                }
                if (walk->task->allows && !walk->task->allows(walk->task->allows_data, machine, transition)) {
                    continue;
                }
                uint64_t choices = transition.kind == TRANSITION_STEP ? machine_choices(machine, transition.thread) : 1;
                if (choices > MAX_CHOICES) {
                    walk->refused = true;
                    continue;
                }
                for (uint64_t choice = choices; choice-- > 0;) {
                    if (transition.kind == TRANSITION_STEP) {
                        transition.choice = choice;
                    }
                    vector_push(&walk->pending, &transition);
                }
            }
        }
    }
    level.mark = machine_set_mark(machine);
    vector_push(&walk->levels, &level);
}

static void take(struct walk *walk, struct transition transition) {
    bool traces = walk->task->collect == COLLECT_TRACES;
    vector_push(&walk->path, &transition);
    if (traces) {
        machine_look(walk->machine, transition);
    }
    machine_take(walk->machine, transition);
    round_count_follow(&walk->rounds, walk->machine, transition);
    if (traces) {
        trace_add(&walk->trace, walk->machine);
    }
}

/* Is there only one way on, in an atomic section?  Then nobody comes to this state by another way that matters, and it
 * need not be remembered; only now and then, so that a section that runs for ever is seen to do so. */
static bool runs_on(struct machine *machine, struct transition *next) {
    const struct transition *enabled;
    if (!machine_in_atomic(machine, next->thread) || machine_outcome(machine) != OUTCOME_RUNNING ||
        machine_enabled(machine, &enabled) != 1 || enabled[0].kind != TRANSITION_STEP) {
        return false;
    }
    *next = enabled[0];
    return machine_choices(machine, next->thread) == 1;
}

static void walk_all(struct walk *walk) {
    enter(walk);
    while (walk->levels.count > 0 && walk->verdict->word != VERDICT_VIOLATION && !limits_reached(walk->task->limits)) {
        struct level *level = vector_at(&walk->levels, walk->levels.count - 1);
        machine_undo(walk->machine, level->mark);
        for (; walk->path.count > level->path_length; walk->path.count--) {
            round_count_back(&walk->rounds);
        }
        trace_cut(&walk->trace, level->trace_length);
        if (walk->pending.count == level->pending_first) {
            walk->levels.count--;
            walk->pending.count = level->pending_first;
            continue;
        }
        struct transition transition = *(struct transition *)vector_at(&walk->pending, --walk->pending.count);
        unsigned steps = 0;
        do {
            take(walk, transition);
        } while (++steps < MAX_RUN && runs_on(walk->machine, &transition));
        enter(walk);
        if (progress_due(walk->task->progress)) {
            progress_show(walk->task->progress, "%llu states, %llu executions",
                          (unsigned long long)walk->verdict->states, (unsigned long long)walk->verdict->traces);
        }
    }
}

static void decide(struct walk *walk) {
    struct verdict *verdict = walk->verdict;
    const char *reason = limits_reason(walk->task->limits);
    if (verdict->word == VERDICT_VIOLATION) {
        return;
    }
    if (reason) {
        snprintf(verdict->reason, sizeof verdict->reason, "%s", reason);
    } else if (walk->refused) {
        snprintf(verdict->reason, sizeof verdict->reason,
                 "a nondeterministic value has more than %d possible values, too many to try them all", MAX_CHOICES);
    } else if (verdict->reason[0]) {
        return;
    } else if (verdict->traces == 0 && verdict->cut > 0) {
        verdict_set_incomplete(verdict, walk->task, walk->met);
    } else {
        verdict_set_safe(verdict, walk->task, walk->met);
        if (walk->restricted && walk->task->restriction.kind == RESTRICTION_ROUNDS) {
            verdict_add_bound(verdict, "at most %u rounds per thread", walk->task->restriction.bound);
        } else if (walk->restricted) {
            verdict_add_bound(verdict, "stores drain within %u further rounds", walk->task->restriction.bound);
        }
    }
}

static void brute_run(const struct task *task, struct verdict *verdict) {
    struct walk walk = {.task = task, .verdict = verdict};
    struct machine_options options = task->machine;
    options.awaits = task->collect == COLLECT_TRACES ? AWAIT_BLOCK : AWAIT_SPIN;
    options.run_on = task->collect == COLLECT_TRACES; /* one trace, whenever the process ends */
    vector_init(&walk.levels, sizeof(struct level));
    vector_init(&walk.pending, sizeof(struct transition));
    vector_init(&walk.path, sizeof(struct transition));
    visited_init(&walk.states);
    visited_init(&walk.final_states);
    visited_init(&walk.traces);
    visited_init(&walk.blocked_traces);
    trace_init(&walk.trace, task->program);
    round_count_init(&walk.rounds, task->restriction);
    walk.machine = machine_new(task->program, &options);
    walk_all(&walk);
    decide(&walk);
    verdict->collected.states = visited_digest(&walk.final_states);
    verdict->collected.traces = walk.traces.count;
    verdict->collected.blocked = walk.blocked_traces.count;
    verdict->collected.digest = visited_digest(&walk.traces);
    machine_free(walk.machine);
    vector_delete(&walk.levels);
    vector_delete(&walk.pending);
    vector_delete(&walk.path);
    visited_delete(&walk.states);
    visited_delete(&walk.final_states);
    visited_delete(&walk.traces);
    visited_delete(&walk.blocked_traces);
    trace_delete(&walk.trace);
    round_count_delete(&walk.rounds);
    free(walk.buffer);
}

const struct engine engine_brute = {
    .name = "brute",
    .what = "walks all transitions: for small programs",
    .run = brute_run,
    .keeps_to = RESTRICTION_ANY,
};
