/* Optimal-DPOR with wakeup trees, and Source-DPOR, over chronological traces.
 *
 * The walk goes depth first over one machine.  Each state on the way is a node: a mark to go back to, the sleep set
 * (what has been explored from here, or from before and does not depend on what was done since), and the wakeup tree of
 * what is still to be explored from here.  When an execution is maximal, each of its races is turned around: from the
 * state before the earlier event, everything that does not depend on it, then the later event.  Optimal-DPOR puts that
 * sequence into the wakeup tree there, unless something asleep covers it; Source-DPOR puts one of its initial
 * transitions on a list.
 *
 * Threads may wait for each other.  A thread that is stuck when the execution is maximal has races too: its next step
 * with the latest event before which it could have been taken. */
#include "explore/explore.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "engine/trace.h"
#include "engine/visited.h"
#include "explore/chronological.h"
#include "explore/wakeup_tree.h"
#include "util/memory.h"

#define MAX_CHOICES 4096

struct node {
    machine_mark mark;
    size_t sleep_first; /* in explorer.sleep; up to the next node's, or the end */
    uint32_t wakeup;    /* first node of its wakeup tree */
    uint32_t inherited; /* the wakeup node that led here, to be released */
};

/* The later event of a race that is being turned around, or a pending step. */
struct turned {
    uint32_t index; /* number of events for a pending step */
    bool waits;     /* it had, or has, to wait */
    struct label label;
    uint32_t last_step; /* of its thread, before it */
    uint32_t last_drain;
    uint32_t woken_by; /* the signal without which it cannot come, or NO_EVENT */
};

struct explorer {
    const struct task *task;
    struct verdict *verdict;
    struct machine *machine;
    struct chronological chronological;
    struct wakeup_pool pool;
    struct vector nodes;    /* of struct node: one more than events */
    struct vector sleep;    /* of struct label */
    struct vector sequence; /* of const struct label *: scratch */
    struct vector indices;  /* of uint32_t: scratch */
    struct turned turned;   /* the last element of the sequence */
    struct trace trace;     /* if traces are collected */
    struct visited traces;
    struct visited blocked_traces;
    uint32_t turned_until; /* the races of the events before this one were turned around in an earlier execution */
    bool source;           /* Source-DPOR */
    bool chooses;          /* some step had several ways to go */
    bool stale;
    bool ended; /* by task.maximal */
    bool refused;
    uint32_t refused_pos;
};

/* --- Turning races around ----------------------------------------------------------------------------------------- */

static bool follows(const struct chronological *chronological, uint32_t event, uint32_t earlier) {
    return event != NO_EVENT && (event == earlier || happens_before(chronological, earlier, event));
}

/* Does a load have to wait for a drain of its own thread, because that covers only a part of it? */
static bool drain_holds_up(const struct label *drain, const struct label *load) {
    if (drain->transition.kind != TRANSITION_DRAIN || drain->transition.thread != load->transition.thread ||
        load->accesses == 0) {
        return false;
    }
    const struct access *written = &drain->access[0];
    const struct access *read = &load->access[0];
    bool covers = written->address <= read->address && read->address + read->size <= written->address + written->size;
    return accesses_overlap(written, read) && !covers;
}

/* The last element may touch memory in another way than it did in the execution: a compare-and-swap that failed may now
 * write, and then depends on more.  It may also be one that had to wait: in the execution it then happens after events
 * that are left out now, and through them after others that it does not need; so only its own thread's past and what it
 * touches count. */
static bool sequence_depends(const void *data, uint32_t later, uint32_t earlier) {
    const struct explorer *explorer = data;
    const struct chronological *chronological = &explorer->chronological;
    const struct turned *turned = &explorer->turned;
    if (later != turned->index) {
        return happens_before(chronological, earlier, later);
    }
    if (!turned->waits && happens_before(chronological, earlier, later)) {
        return true;
    }
    const struct label *label = &chronological_event(chronological, earlier)->label;
    if (turned->waits && drain_holds_up(label, &turned->label)) {
        return true;
    }
    return (turned->waits && (follows(chronological, turned->last_step, earlier) ||
                              follows(chronological, turned->last_drain, earlier) ||
                              follows(chronological, turned->woken_by, earlier))) ||
           !labels_independent(label, &turned->label, chronological->fifo);
}

/* Puts what a write has overwritten back into the value that `access` has read.  False if that is not known: the write
 * was an atomic section. */
static bool put_back(uint64_t value[2], const struct access *access, const struct event *write) {
    uint8_t bytes[16];
    uint8_t old[16];
    memcpy(bytes, value, sizeof bytes);
    memcpy(old, write->old, sizeof old);
    for (uint32_t i = 0; i < access->size && i < sizeof bytes; i++) {
        uint64_t offset = access->address + i - write->label.access[0].address;
        if (offset < write->label.access[0].size && offset < sizeof old) {
            bytes[i] = old[offset];
        }
    }
    memcpy(value, bytes, sizeof bytes);
    return write->label.accesses == 1;
}

/* The label that an event has when the earlier one of its race is gone: a compare-and-swap or trylock may now fare
 * differently. */
static struct label turned_label(const struct explorer *explorer, uint32_t earlier, uint32_t later) {
    const struct event *before = chronological_event(&explorer->chronological, earlier);
    const struct event *event = chronological_event(&explorer->chronological, later);
    struct label label = event->label;
    if (event->kind == STEP_CAS && label.accesses == 1) {
        uint64_t value[2] = {event->old[0], event->old[1]};
        bool known = put_back(value, &label.access[0], before);
        label.access[0].writes = !known || (value[0] == event->expected[0] && value[1] == event->expected[1]);
    } else if (event->kind == STEP_SYNC && event->phase == PHASE_COND_WOKEN && event->woken_by == earlier) {
        label.access[0] = before->label.access[0]; /* it gives up before it is signalled */
    } else if (event->kind == STEP_SYNC && label.accesses == 1 && !before->refused) {
        /* Whom to wake is a new choice in another state. */
        if (event->sub == SYNC_COND_SIGNAL) {
            label.transition.choice = 0;
        }
        switch (event->sub) {
        case SYNC_MUTEX_TRYLOCK:
        case SYNC_MUTEX_TIMEDLOCK:
        case SYNC_WRITE_TRYLOCK:
        case SYNC_WRITE_TIMEDLOCK:
        case SYNC_SPIN_TRYLOCK:
            label.access[0].writes = (uint32_t)before->old[0] == 0;
            break;
        case SYNC_SEM_TRYWAIT:
        case SYNC_SEM_TIMEDWAIT:
            label.access[0].writes = (uint32_t)before->old[0] > 0;
            break;
        case SYNC_ONCE_BEGIN:
            label.access[0].writes = (uint32_t)before->old[0] == 0;
            break;
        default:
            break;
        }
    }
    return label;
}

/* Did somebody choose behind the race, and this event happens after it? */
static bool follows_choice(const struct explorer *explorer, uint32_t event) {
    const struct chronological *chronological = &explorer->chronological;
    for (uint32_t i = explorer->turned.index + 1; i <= event && explorer->chooses; i++) {
        if (chronological_event(chronological, i)->chooses && follows(chronological, event, i)) {
            return true;
        }
    }
    return false;
}

/* Everything behind `earlier` that does not happen after it, and then the later event of the race (or the pending
 * step).  What was chosen behind the race is left open: the race is turned around only once. */
static void make_sequence(struct explorer *explorer, uint32_t earlier) {
    const struct chronological *chronological = &explorer->chronological;
    explorer->sequence.count = explorer->indices.count = 0;
    for (uint32_t i = earlier + 1; i < chronological->events.count; i++) {
        if (!happens_before(chronological, earlier, i) && !follows_choice(explorer, i)) {
            const struct label *label = &chronological_event(chronological, i)->label;
            vector_push(&explorer->sequence, &label);
            vector_push(&explorer->indices, &i);
        }
    }
    const struct label *last = &explorer->turned.label;
    vector_push(&explorer->sequence, &last);
    vector_push(&explorer->indices, &explorer->turned.index);
}

/* Source-DPOR: one transition that can come first, unless one is on the list already. */
static void list_initial(struct explorer *explorer, struct node *node, const struct wakeup_sequence *sequence) {
    uint32_t place;
    uint32_t chosen = NO_EVENT;
    for (uint32_t i = 0; i < sequence->count; i++) {
        if (wakeup_weak_initial(sequence, sequence->labels[i], &place) && place == i) {
            for (uint32_t child = node->wakeup; child != NO_NODE; child = wakeup_at(&explorer->pool, child)->next) {
                if (transitions_equal(wakeup_at(&explorer->pool, child)->label.transition,
                                      sequence->labels[i]->transition)) {
                    return;
                }
            }
            chosen = chosen == NO_EVENT ? i : chosen;
        }
    }
    if (chosen != NO_EVENT) {
        wakeup_add(&explorer->pool, &node->wakeup, sequence->labels[chosen]);
    }
}

static void turn_race(struct explorer *explorer, uint32_t earlier, const struct turned *turned) {
    struct node *node = vector_at(&explorer->nodes, earlier);
    const struct node *next = vector_at(&explorer->nodes, earlier + 1);
    explorer->turned = *turned;
    make_sequence(explorer, earlier);
    struct wakeup_sequence sequence = {
        .labels = explorer->sequence.data,
        .index = explorer->indices.data,
        .count = (uint32_t)explorer->sequence.count,
        .depends = sequence_depends,
        .data = explorer,
        .fifo = explorer->chronological.fifo,
        .turned_away = chronological_event(&explorer->chronological, earlier)->chooses
                           ? chronological_event(&explorer->chronological, earlier)->label.transition.thread
                           : NO_NODE,
    };
    for (size_t i = node->sleep_first; i < next->sleep_first; i++) {
        uint32_t place;
        const struct label *asleep = vector_at(&explorer->sleep, i);
        if (wakeup_weak_initial(&sequence, asleep, &place) && (!explorer->source || place < sequence.count)) {
            return;
        }
    }
    if (explorer->source) {
        list_initial(explorer, node, &sequence);
    } else {
        wakeup_insert(&explorer->pool, &node->wakeup, &sequence);
    }
}

static bool is_timed(const struct event *event) {
    return event->kind == STEP_SYNC && (event->sub == SYNC_MUTEX_TIMEDLOCK || event->sub == SYNC_READ_TIMEDLOCK ||
                                        event->sub == SYNC_WRITE_TIMEDLOCK || event->sub == SYNC_SEM_TIMEDWAIT);
}

/* A timed operation that finds another state: it has the choice to time out (1) only where it can also go through. */
static void turn_timed_race(struct explorer *explorer, uint32_t earlier, struct turned *turned) {
    const struct event *before = chronological_event(&explorer->chronological, earlier);
    const struct event *event = chronological_event(&explorer->chronological, turned->index);
    bool semaphore = event->sub == SYNC_SEM_TIMEDWAIT;
    bool readers =
        event->sub == SYNC_WRITE_TIMEDLOCK &&
        chronological_readers_without(&explorer->chronological, earlier, event->label.access[0].address) != 0;
    bool could = event->chooses;
    bool free = semaphore ? (uint32_t)before->old[0] > 0 : (uint32_t)before->old[0] == 0 && !readers;
    bool can = before->refused ? could : free; /* what was refused has changed nothing */
    bool looks = event->sub == SYNC_READ_TIMEDLOCK || (event->sub == SYNC_WRITE_TIMEDLOCK && readers);
    for (uint64_t choice = 0; choice < (can ? 2 : 1); choice++) {
        if (!could || !can || choice == event->label.transition.choice) {
            turned->label.transition.choice = choice;
            if (turned->label.accesses == 1 && !looks && event->sub != SYNC_WRITE_TIMEDLOCK) {
                turned->label.access[0].writes = can && choice == 0;
            }
            turn_race(explorer, earlier, turned);
        }
    }
}

static void turn_all_races(struct explorer *explorer) {
    struct chronological *chronological = &explorer->chronological;
    uint32_t count = (uint32_t)chronological->events.count;
    for (uint32_t later = explorer->turned_until; later < count; later++) {
        size_t end =
            later + 1 < count ? chronological_event(chronological, later + 1)->races : chronological->races.count;
        for (size_t i = chronological_event(chronological, later)->races; i < end; i++) {
            uint32_t earlier = *(uint32_t *)vector_at(&chronological->races, i);
            const struct event *event = chronological_event(chronological, later);
            struct turned turned = {
                .index = later,
                .waits = event->waits,
                .label = turned_label(explorer, earlier, later),
                .last_step = event->last_step,
                .last_drain = event->kind == STEP_LOAD ? NO_EVENT : event->last_drain,
                .woken_by = event->woken_by != earlier && event->phase != PHASE_NONE ? event->woken_by : NO_EVENT,
            };
            if (is_timed(event)) {
                turn_timed_race(explorer, earlier, &turned);
            } else {
                turn_race(explorer, earlier, &turned);
            }
        }
    }
    for (uint32_t thread = 0; thread < machine_threads(explorer->machine); thread++) {
        struct transition step = {.thread = thread, .kind = TRANSITION_STEP};
        struct turned turned = {.index = count, .waits = true, .woken_by = NO_EVENT};
        if (!machine_thread_exists(explorer->machine, thread) || machine_thread_finished(explorer->machine, thread) ||
            machine_is_enabled(explorer->machine, step)) {
            continue;
        }
        uint32_t earlier =
            chronological_signal_race(chronological, thread, &turned.label, &turned.last_step, &turned.last_drain);
        if (earlier != NO_EVENT) {
            turn_race(explorer, earlier, &turned);
        }
        size_t races = chronological_blocked_races(chronological, thread, &turned.label, &turned.last_step,
                                                   &turned.last_drain, &turned.woken_by);
        for (size_t i = 0; i < races; i++) {
            turn_race(explorer, *(uint32_t *)vector_at(&chronological->found, i), &turned);
        }
    }
}

/* --- Ends of executions ------------------------------------------------------------------------------------------- */

/* A violation: the events that happen before the last one, and it, are an execution of their own; a deadlock needs all,
 * and so does an access that finds its object gone, for a buffered store does not depend yet on who has ended it. */
static void report_violation(struct explorer *explorer) {
    const struct chronological *chronological = &explorer->chronological;
    uint32_t count = (uint32_t)chronological->events.count;
    /* Of several errors in one event, the first. */
    const struct machine_error *error =
        chronological->error_end ? &chronological->error : machine_error(explorer->machine);
    enum error_kind kind = error->kind;
    bool needs_all = kind == ERROR_DEADLOCK || kind == ERROR_DANGLING || kind == ERROR_DOUBLE_FREE ||
                     kind == ERROR_ATOMIC_BLOCKED || kind == ERROR_LEAK || kind == ERROR_LIVENESS || kind == ERROR_GOAL;
    struct vector steps;
    vector_init(&steps, sizeof(struct transition));
    for (uint32_t i = 0; i < count; i++) {
        if (needs_all || i + 1 == count || happens_before(chronological, i, count - 1)) {
            size_t end = i + 1 < count              ? chronological_event(chronological, i + 1)->taken
                         : chronological->error_end ? chronological->error_end
                                                    : chronological->taken.count;
            for (size_t k = chronological_event(chronological, i)->taken; k < end; k++) {
                vector_push(&steps, vector_at(&chronological->taken, k));
            }
        }
    }
    verdict_set_violation(explorer->verdict, explorer->task, explorer->machine, error, steps.data, steps.count);
    vector_delete(&steps);
}

/* Does the error need a thread that has failed an assumption?  Then the execution does not count.  A thread that failed
 * one in the very event that met the error may have done so before or behind it. */
enum reality { REALITY_NO, REALITY_YES, REALITY_OPEN };

static enum reality error_reality(struct explorer *explorer) {
    struct chronological *chronological = &explorer->chronological;
    uint32_t count = (uint32_t)chronological->events.count;
    enum reality reality = REALITY_YES;
    for (uint32_t thread = 0; thread < machine_threads(explorer->machine) && count > 0; thread++) {
        if (!machine_thread_exists(explorer->machine, thread) || !machine_thread_stopped(explorer->machine, thread)) {
            continue;
        }
        uint32_t last = chronological_last_step(chronological, thread);
        if (last == count - 1) {
            reality = REALITY_OPEN;
        } else if (follows(chronological, count - 1, last)) {
            return REALITY_NO;
        }
    }
    return reality;
}

/* The last event has met an error.  One that depends on a failed assumption does not count, and the other threads run
 * on: what they do may be needed to see other races. */
static void meet_error(struct explorer *explorer) {
    struct verdict *verdict = explorer->verdict;
    enum reality reality = explorer->task->maximal ? REALITY_NO : error_reality(explorer);
    if (reality == REALITY_NO) {
        return;
    }
    report_violation(explorer);
    if (reality == REALITY_OPEN && !witness_replays(&verdict->witness, explorer->task->program)) {
        witness_delete(&verdict->witness);
        witness_init(&verdict->witness);
        verdict->word = VERDICT_UNDECIDED;
    }
}

static void end_execution(struct explorer *explorer, enum outcome outcome) {
    struct verdict *verdict = explorer->verdict;
    bool past_error = machine_errors(explorer->machine) > 0 && !explorer->task->maximal;
    switch (past_error && outcome != OUTCOME_ERROR ? OUTCOME_RUNNING : outcome) {
    case OUTCOME_RUNNING: /* an execution that depends on a failed assumption and has met an error counts as nothing */
        break;
    case OUTCOME_ERROR:
        meet_error(explorer);
        if (verdict->word == VERDICT_VIOLATION) {
            return;
        }
        verdict->blocked += explorer->task->maximal != NULL;
        break;
    case OUTCOME_COMPLETE:
        verdict->traces++;
        if (explorer->chronological.trace) {
            visited_add(&explorer->traces, trace_name(&explorer->trace));
        }
        if (explorer->task->final) {
            explorer->task->final(explorer->task->final_data, explorer->machine);
        }
        break;
    case OUTCOME_BLOCKED:
    case OUTCOME_ASSUME:
        verdict->blocked++;
        if (explorer->chronological.trace) {
            visited_add(&explorer->blocked_traces, trace_name(&explorer->trace));
        }
        break;
    case OUTCOME_CUT:
        verdict->cut++;
        break;
    default:
        snprintf(verdict->reason, sizeof verdict->reason, "a thread runs on without ever reaching a visible step");
        verdict->cut++;
        break;
    }
    explorer->stale = explorer->stale || machine_met_stale(explorer->machine);
    const struct task *task = explorer->task;
    if (task->maximal && task->maximal(task->maximal_data, &explorer->chronological)) {
        explorer->ended = true;
        return;
    }
    turn_all_races(explorer);
}

/* --- The walk ----------------------------------------------------------------------------------------------------- */

static struct node *top_node(const struct explorer *explorer) {
    return vector_at(&explorer->nodes, explorer->nodes.count - 1);
}

/* A new state: what was asleep and does not depend on the last event still is. */
static void push_node(struct explorer *explorer, uint32_t wakeup, uint32_t inherited) {
    const struct chronological *chronological = &explorer->chronological;
    size_t from = explorer->nodes.count > 0 ? top_node(explorer)->sleep_first : 0;
    size_t to = explorer->sleep.count;
    for (size_t i = from; i < to && chronological->events.count > 0; i++) {
        const struct event *event = chronological_event(chronological, (uint32_t)chronological->events.count - 1);
        struct label asleep = *(struct label *)vector_at(&explorer->sleep, i);
        if (labels_independent(&asleep, &event->label, chronological->fifo)) {
            label_pass(&asleep, &event->label);
            vector_push(&explorer->sleep, &asleep);
        }
    }
    struct node node = {
        .mark = machine_set_mark(explorer->machine), .sleep_first = to, .wakeup = wakeup, .inherited = inherited};
    vector_push(&explorer->nodes, &node);
}

static bool is_asleep(const struct explorer *explorer, struct transition transition) {
    for (size_t i = top_node(explorer)->sleep_first; i < explorer->sleep.count; i++) {
        if (transitions_equal(((struct label *)vector_at(&explorer->sleep, i))->transition, transition)) {
            return true;
        }
    }
    return false;
}

/* A step with several ways to go: all but the one that is taken now go into the tree.  Not if it is part of a sequence
 * that was turned around: then the others were tried where it was taken first, and their own races lead here if need
 * be. But the last one of such a sequence finds an object in another state. */
static void branch_choices(struct explorer *explorer, struct transition taken, uint32_t inherited) {
    if (inherited != NO_NODE) {
        struct step step;
        machine_next(explorer->machine, taken, &step);
        if (step.kind != STEP_SYNC || step.sub != SYNC_COND_SIGNAL ||
            wakeup_at(&explorer->pool, inherited)->child != NO_NODE) {
            return;
        }
    }
    uint64_t choices = taken.kind == TRANSITION_STEP ? machine_choices(explorer->machine, taken.thread) : 1;
    if (choices == 1) {
        return;
    }
    if (choices > MAX_CHOICES) {
        explorer->refused = true;
        explorer->refused_pos = machine_thread_pos(explorer->machine, taken.thread);
        return;
    }
    explorer->chooses = true;
    for (uint64_t choice = 0; choice < choices; choice++) {
        struct transition other = {.thread = taken.thread, .kind = TRANSITION_STEP, .choice = choice};
        bool known = choice == taken.choice || is_asleep(explorer, other);
        for (uint32_t child = top_node(explorer)->wakeup; child != NO_NODE && !known;
             child = wakeup_at(&explorer->pool, child)->next) {
            known = transitions_equal(wakeup_at(&explorer->pool, child)->label.transition, other);
        }
        if (!known) {
            struct step step;
            struct label label;
            machine_next(explorer->machine, other, &step);
            label_init(&label, other, &step, explorer->chronological.buffered);
            wakeup_add(&explorer->pool, &top_node(explorer)->wakeup, &label);
        }
    }
}

/* Takes a transition from the top node. */
static void descend(struct explorer *explorer, struct transition transition, uint32_t inherited) {
    uint32_t below = inherited == NO_NODE ? NO_NODE : wakeup_at(&explorer->pool, inherited)->child;
    uint32_t errors = machine_errors(explorer->machine);
    branch_choices(explorer, transition, inherited);
    chronological_add(&explorer->chronological, transition);
    push_node(explorer, below, inherited);
    if (machine_errors(explorer->machine) > errors) {
        meet_error(explorer);
    }
}

/* Goes back one event, which falls asleep. */
static void ascend(struct explorer *explorer) {
    struct chronological *chronological = &explorer->chronological;
    const struct node *node = top_node(explorer);
    wakeup_release_all(&explorer->pool, node->wakeup);
    if (node->inherited != NO_NODE) {
        wakeup_release(&explorer->pool, node->inherited);
    }
    explorer->sleep.count = node->sleep_first;
    explorer->nodes.count--;
    if (explorer->nodes.count == 0) {
        return;
    }
    struct label explored = chronological_event(chronological, (uint32_t)chronological->events.count - 1)->label;
    chronological_pop(chronological);
    explorer->turned_until = (uint32_t)chronological->events.count;
    machine_undo(explorer->machine, top_node(explorer)->mark);
    vector_push(&explorer->sleep, &explored);
}

/* Some enabled transition that is not asleep: of the thread that ran last, if it has one. */
static bool find_awake(struct explorer *explorer, struct transition *found) {
    const struct chronological *chronological = &explorer->chronological;
    if (chronological->events.count > 0) {
        const struct event *last = chronological_event(chronological, (uint32_t)chronological->events.count - 1);
        *found = (struct transition){.thread = last->label.transition.thread, .kind = TRANSITION_STEP};
        if (machine_is_enabled(explorer->machine, *found) && !is_asleep(explorer, *found)) {
            return true;
        }
    }
    const struct transition *enabled;
    size_t count = machine_enabled(explorer->machine, &enabled);
    for (size_t i = 0; i < count; i++) {
        if (!is_asleep(explorer, enabled[i])) {
            *found = enabled[i];
            return true;
        }
    }
    return false;
}

/* Goes on from the top node: true if a transition was taken. */
static bool advance(struct explorer *explorer, bool fresh) {
    struct node *node = top_node(explorer);
    while (node->wakeup != NO_NODE) {
        uint32_t next = wakeup_take(&explorer->pool, &node->wakeup);
        struct transition transition = wakeup_at(&explorer->pool, next)->label.transition;
        if (!is_asleep(explorer, transition)) {
            assert(machine_is_enabled(explorer->machine, transition) && "what wakes up can be taken");
            descend(explorer, transition, next);
            return true;
        }
        wakeup_release_all(&explorer->pool, wakeup_at(&explorer->pool, next)->child);
        wakeup_release(&explorer->pool, next);
    }
    if (!fresh) {
        return false;
    }
    struct transition any;
    if (find_awake(explorer, &any)) {
        descend(explorer, any, NO_NODE);
        return true;
    }
    enum outcome outcome = machine_outcome(explorer->machine);
    if (outcome == OUTCOME_RUNNING) {
        explorer->verdict->redundant++;
        if (explorer->source) {
            turn_all_races(explorer);
        }
    } else {
        end_execution(explorer, outcome);
    }
    return false;
}

static void walk_all(struct explorer *explorer) {
    bool fresh = true;
    push_node(explorer, NO_NODE, NO_NODE);
    if (machine_errors(explorer->machine) > 0) {
        meet_error(explorer); /* before the first step */
    }
    while (explorer->nodes.count > 0 && explorer->verdict->word != VERDICT_VIOLATION && !explorer->refused &&
           !explorer->ended && !limits_reached(explorer->task->limits)) {
        fresh = advance(explorer, fresh);
        if (!fresh) {
            ascend(explorer);
        }
        if (progress_due(explorer->task->progress)) {
            progress_show(explorer->task->progress, "%" PRIu64 " traces, %" PRIu64 " blocked",
                          explorer->verdict->traces, explorer->verdict->blocked);
        }
    }
}

static void decide(struct explorer *explorer) {
    struct verdict *verdict = explorer->verdict;
    const struct program *program = explorer->task->program;
    const char *reason = limits_reason(explorer->task->limits);
    if (verdict->word == VERDICT_VIOLATION) {
        return;
    }
    if (reason) {
        snprintf(verdict->reason, sizeof verdict->reason, "%s", reason);
    } else if (explorer->refused) {
        const struct position *position = &program->positions[explorer->refused_pos];
        snprintf(verdict->reason, sizeof verdict->reason,
                 "%.100s:%u: a nondeterministic value has more than %d possible values; cut its domain down",
                 program_string(program, position->file), position->line, MAX_CHOICES);
    } else if (explorer->chronological.choice_in_section) {
        snprintf(verdict->reason, sizeof verdict->reason, "a value is chosen inside an atomic section");
    } else if (verdict->reason[0]) {
        return;
    } else if (verdict->traces == 0 && verdict->cut > 0) {
        snprintf(verdict->reason, sizeof verdict->reason, "no execution is complete within the loop bound");
    } else {
        verdict->word = VERDICT_SAFE;
        if (verdict->cut > 0) {
            verdict_add_bound(verdict, "loops go round at most %u times", explorer->task->unroll);
        }
        if (explorer->stale) {
            verdict_add_bound(verdict, "no address reuse");
        }
    }
}

static void explore_run(const struct task *task, struct verdict *verdict) {
    struct explorer explorer = {.task = task, .verdict = verdict, .source = task->dpor == DPOR_SOURCE};
    struct machine_options options = task->machine;
    options.awaits = AWAIT_BLOCK;
    options.run_on = true;
    options.run_past_errors = true;
    vector_init(&explorer.nodes, sizeof(struct node));
    vector_init(&explorer.sleep, sizeof(struct label));
    vector_init(&explorer.sequence, sizeof(const struct label *));
    vector_init(&explorer.indices, sizeof(uint32_t));
    wakeup_pool_init(&explorer.pool);
    explorer.machine = machine_new(task->program, &options);
    chronological_init(&explorer.chronological, explorer.machine);
    trace_init(&explorer.trace);
    visited_init(&explorer.traces);
    visited_init(&explorer.blocked_traces);
    if (task->collect == COLLECT_TRACES) {
        explorer.chronological.trace = &explorer.trace;
    }
    walk_all(&explorer);
    decide(&explorer);
    verdict->collected.traces = explorer.traces.count;
    verdict->collected.blocked = explorer.blocked_traces.count;
    verdict->collected.digest = visited_digest(&explorer.traces);
    trace_delete(&explorer.trace);
    visited_delete(&explorer.traces);
    visited_delete(&explorer.blocked_traces);
    chronological_delete(&explorer.chronological);
    machine_free(explorer.machine);
    wakeup_pool_delete(&explorer.pool);
    vector_delete(&explorer.nodes);
    vector_delete(&explorer.sleep);
    vector_delete(&explorer.sequence);
    vector_delete(&explorer.indices);
}

const struct engine engine_explore = {
    .name = "explore",
    .what = "one execution per behaviour: for programs that end",
    .run = explore_run,
};
