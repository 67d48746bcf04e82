/* Witnesses of errors: as few transitions of the execution as the error needs. */
#include "explore/finding.h"

#include "explore/data_race.h"

/* The number of events up to the one with the error. */
static uint32_t events_to_error(const struct chronological *chronological) {
    return chronological->error_end ? chronological->error_event + 1 : (uint32_t)chronological->events.count;
}

/* Adds the transitions of an event to those of a witness. */
static void add_steps(const struct chronological *chronological, uint32_t event, size_t end, struct vector *steps) {
    for (size_t i = chronological_event(chronological, event)->taken; i < end; i++) {
        vector_push(steps, vector_at(&chronological->taken, i));
    }
}

/* Reports a violation.  The events that happen before the last one, and the last one, are an execution of their own; a
 * deadlock needs all events. */
static void report_violation(struct worker *worker) {
    const struct chronological *chronological = &worker->chronological;
    uint32_t count = events_to_error(chronological);
    /* The first error, if one event has several. */
    const struct machine_error *error =
        chronological->error_end ? &chronological->error : machine_error(worker->machine);
    enum error_kind kind = error->kind;
    bool needs_all = kind == ERROR_DEADLOCK || kind == ERROR_LEAK || kind == ERROR_LIVENESS || kind == ERROR_GOAL;
    struct vector steps;
    vector_init(&steps, sizeof(struct transition));
    for (uint32_t i = 0; i < count; i++) {
        if (needs_all || i + 1 == count || happens_before(chronological, i, count - 1)) {
            bool last = i + 1 == count && chronological->error_end;
            size_t end = last ? chronological->error_end : chronological_taken_end(chronological, i);
            add_steps(chronological, i, end, &steps);
        }
    }
    verdict_set_violation(worker->verdict, worker->exploration->task, worker->machine, error, steps.data, steps.count);
    vector_delete(&steps);
}

/* Does the error need a thread that has failed an assumption?  Then the execution does not count.  A thread that failed
 * an assumption in the event with the error may have done so before or after it. */
enum reality { REALITY_NO, REALITY_YES, REALITY_OPEN };

static enum reality error_reality(struct worker *worker) {
    struct chronological *chronological = &worker->chronological;
    uint32_t count = events_to_error(chronological);
    enum reality reality = REALITY_YES;
    for (uint32_t thread = 0; thread < machine_threads(worker->machine) && count > 0; thread++) {
        if (!machine_thread_exists(worker->machine, thread) || !machine_thread_stopped(worker->machine, thread)) {
            continue;
        }
        uint32_t last = chronological_last_step(chronological, thread);
        if (last == count - 1) {
            reality = REALITY_OPEN;
        } else if (event_follows(chronological, count - 1, last)) {
            return REALITY_NO;
        }
    }
    return reality;
}

/* Replays steps that lead to a state where an error is possible: the machine tells whether there is one, and which. */
static void report_seen(struct worker *worker, const struct vector *steps) {
    const struct task *task = worker->exploration->task;
    struct machine_options options = task->machine;
    options.awaits = AWAIT_BLOCK;
    options.slots = &worker->exploration->slots;
    struct machine *machine = machine_new(task->program, &options);
    size_t count = 0;
    while (count < steps->count && machine_outcome(machine) == OUTCOME_RUNNING &&
           machine_is_enabled(machine, *(struct transition *)vector_at(steps, count))) {
        machine_take(machine, *(struct transition *)vector_at(steps, count++));
    }
    if (machine_outcome(machine) == OUTCOME_ERROR) {
        verdict_set_violation(worker->verdict, task, machine, machine_error(machine), steps->data, count);
        atomic_store(&worker->exploration->stop, true);
    }
    machine_free(machine);
}

/* Does the event need one that ends the process, or a thread that has failed an assumption or was cut? */
static bool needs_an_end(struct worker *worker, uint32_t event) {
    struct chronological *chronological = &worker->chronological;
    for (uint32_t thread = 0; thread < machine_threads(worker->machine); thread++) {
        if (machine_thread_exists(worker->machine, thread) && machine_thread_stopped(worker->machine, thread) &&
            event_follows(chronological, event, chronological_last_step(chronological, thread))) {
            return true;
        }
    }
    for (uint32_t i = 0; i <= event && machine_exited(worker->machine); i++) {
        const struct event *end = chronological_event(chronological, i);
        if ((end->kind == STEP_EXIT || end->exits) && event_follows(chronological, event, i)) {
            return true;
        }
    }
    return false;
}

/* Some of what the error needs may not happen before it: a buffered store does not depend yet on the thread that has
 * ended its object, nor a blocked section on the thread that blocks it, nor a comparison on the end of the object whose
 * address is compared.  It is an error if it is possible while the process runs and before any assumption fails. */
static void report_possible(struct worker *worker) {
    const struct chronological *chronological = &worker->chronological;
    uint32_t count = events_to_error(chronological);
    struct vector steps;
    vector_init(&steps, sizeof(struct transition));
    for (uint32_t i = 0; i < count; i++) {
        bool last = i + 1 == count;
        if (last || !needs_an_end(worker, i)) {
            size_t end =
                last && chronological->error_end ? chronological->error_end : chronological_taken_end(chronological, i);
            add_steps(chronological, i, end, &steps);
        }
    }
    report_seen(worker, &steps);
    vector_delete(&steps);
}

void finding_error(struct worker *worker) {
    struct verdict *verdict = worker->verdict;
    const struct chronological *chronological = &worker->chronological;
    enum error_kind kind = chronological->error_end ? chronological->error.kind : machine_error(worker->machine)->kind;
    if (worker->exploration->options->maximal) {
        worker->misused = worker->misused || kind == ERROR_DANGLING || kind == ERROR_DOUBLE_FREE;
        worker->held_up = kind == ERROR_ATOMIC_BLOCKED ? machine_error(worker->machine)->pos + 1 : worker->held_up;
        return;
    }
    if (kind == ERROR_ATOMIC_BLOCKED || kind == ERROR_DANGLING || kind == ERROR_DOUBLE_FREE || kind == ERROR_STALE) {
        report_possible(worker);
        return;
    }
    enum reality reality = error_reality(worker);
    if (reality == REALITY_NO) {
        return;
    }
    report_violation(worker);
    if (reality == REALITY_OPEN && !witness_replays(&verdict->witness, worker->exploration->task->program)) {
        witness_delete(&verdict->witness);
        witness_init(&verdict->witness);
        verdict->word = VERDICT_UNDECIDED;
        return;
    }
    atomic_store(&worker->exploration->stop, true);
}

void finding_races(struct worker *worker, bool at_end) {
    struct vector steps;
    if (!(worker->exploration->task->machine.checks & CHECK_FOR_RACES) || worker->verdict->word == VERDICT_VIOLATION) {
        return;
    }
    vector_init(&steps, sizeof(struct transition));
    for (uint32_t from = 0; !at_end && worker->verdict->word != VERDICT_VIOLATION &&
                            data_race_find(&worker->chronological, &from, &steps);) {
        report_seen(worker, &steps);
    }
    for (uint32_t thread = 0; at_end && thread < machine_threads(worker->machine); thread++) {
        if (!machine_thread_exists(worker->machine, thread) || machine_thread_finished(worker->machine, thread) ||
            machine_thread_stopped(worker->machine, thread)) {
            continue;
        }
        if (worker->verdict->word != VERDICT_VIOLATION && data_race_both_wait(worker->machine, thread)) {
            report_seen(worker, &worker->chronological.taken);
        }
        for (uint32_t from = 0; worker->verdict->word != VERDICT_VIOLATION &&
                                data_race_find_waiting(&worker->chronological, thread, &from, &steps);) {
            report_seen(worker, &steps);
        }
    }
    vector_delete(&steps);
}

/* Would a comparison at this position be an error or a new assumption? */
static bool wants_stale(const struct worker *worker, uint32_t pos) {
    const struct task *task = worker->exploration->task;
    return task->machine.checks & CHECK_FOR_STALE ||
           (task->machine.assumed &&
            assumptions_would_change(task->machine.assumed, task->program, ASSUMPTION_REUSE, pos));
}

/* Replays an execution of the trace in which the comparison comes after the end of the object: the machine tells what
 * that is.  It is none if the end or the comparison needs the end of the process or a failed assumption. */
static void replay_stale(struct worker *worker, uint32_t end, uint32_t comparison) {
    const struct chronological *chronological = &worker->chronological;
    uint32_t count = (uint32_t)chronological->events.count;
    struct vector steps;
    vector_init(&steps, sizeof(struct transition));
    for (uint32_t i = 0; i < count; i++) {
        if (i != comparison && (event_follows(chronological, end, i) || event_follows(chronological, comparison, i))) {
            add_steps(chronological, i, chronological_taken_end(chronological, i), &steps);
        }
    }
    add_steps(chronological, comparison, chronological_taken_end(chronological, comparison), &steps);
    report_seen(worker, &steps);
    vector_delete(&steps);
}

/* The machine itself notices comparisons after the end of the object, except those after the end of the process or a
 * failed assumption, which have a note that says so. */
void finding_stale(struct worker *worker) {
    const struct chronological *chronological = &worker->chronological;
    size_t count = chronological->lives.count;
    for (size_t i = chronological_event(chronological, chronological_newest(chronological))->lives; i < count; i++) {
        const struct event_life *newer = vector_at(&chronological->lives, i);
        bool searches = newer->note.ends || newer->note.stale;
        for (size_t k = 0; searches && k < i && worker->verdict->word != VERDICT_VIOLATION; k++) {
            const struct event_life *older = vector_at(&chronological->lives, k);
            const struct event_life *end = newer->note.ends ? newer : older;
            const struct event_life *comparison = newer->note.ends ? older : newer;
            if (newer->note.object == older->note.object && end->note.ends && !comparison->note.ends &&
                end->event != comparison->event && !event_follows(chronological, end->event, comparison->event) &&
                wants_stale(worker, comparison->note.pos)) {
                replay_stale(worker, end->event, comparison->event);
            }
        }
    }
}

/* Calls task.maximal for the execution; true if that was the last one wanted. */
static bool ask_maximal(struct worker *worker) {
    struct exploration *exploration = worker->exploration;
    const struct explore_options *options = exploration->options;
    pthread_mutex_lock(&exploration->calling);
    bool ended = atomic_load(&exploration->stop) || options->maximal(options->maximal_data, &worker->chronological);
    if (ended) {
        atomic_store(&exploration->stop, true);
    }
    pthread_mutex_unlock(&exploration->calling);
    return ended;
}

/* If others fail assumptions or are cut, a thread that is blocked in a section is no error of the execution; in a
 * complete execution there is no such thread. */
static void note_held_up(struct worker *worker) {
    for (uint32_t thread = 0; thread < machine_threads(worker->machine); thread++) {
        if (machine_in_atomic(worker->machine, thread)) {
            worker->held_up = machine_thread_pos(worker->machine, thread) + 1;
        }
    }
}

bool finding_end(struct worker *worker, enum outcome outcome) {
    struct verdict *verdict = worker->verdict;
    const struct task *task = worker->exploration->task;
    bool asks = worker->exploration->options->maximal != NULL;
    if (outcome != OUTCOME_COMPLETE) {
        note_held_up(worker);
    }
    bool past_error = machine_errors(worker->machine) > 0 && !asks;
    switch (past_error && outcome != OUTCOME_ERROR ? OUTCOME_RUNNING : outcome) {
    case OUTCOME_RUNNING: /* an execution that depends on a failed assumption and has made an error does not count */
        break;
    case OUTCOME_ERROR:
        finding_error(worker);
        if (verdict->word == VERDICT_VIOLATION) {
            return false;
        }
        verdict->blocked += asks;
        break;
    case OUTCOME_COMPLETE:
        verdict->traces++;
        if (worker->chronological.trace) {
            visited_add(&worker->traces, trace_name(&worker->trace));
        }
        if (task->final) {
            pthread_mutex_lock(&worker->exploration->calling);
            task->final(task->final_data, worker->machine);
            pthread_mutex_unlock(&worker->exploration->calling);
        }
        break;
    case OUTCOME_BLOCKED:
    case OUTCOME_ASSUME:
        verdict->blocked++;
        if (worker->chronological.trace) {
            visited_add(&worker->blocked_traces, trace_name(&worker->trace));
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
    worker->met |= machine_met(worker->machine);
    finding_races(worker, true);
    return !asks || !ask_maximal(worker);
}
