/* The engine: its workers, and the verdict from what they have found. */
#include "explore/explore.h"

#include <stdlib.h>

#include "explore/worker.h"
#include "util/memory.h"

#define LONG_EXECUTION 10000

/* The worker with the longest execution, if that is longer than the executions of programs that end. */
static const struct worker *find_endless(const struct exploration *exploration) {
    const struct worker *longest = NULL;
    uint32_t events = LONG_EXECUTION;
    for (uint32_t i = 0; i < exploration->workers_count && exploration->task->unroll == 0; i++) {
        const struct worker *worker = &exploration->workers[i];
        if (worker->chronological.events.count > events) {
            events = (uint32_t)worker->chronological.events.count;
            longest = worker;
        }
    }
    return longest;
}

/* Sets the reason of a verdict after a limit, and names the loop of an execution that may have no end. */
static void give_reason(const struct exploration *exploration, const char *reason, struct verdict *verdict) {
    const struct program *program = exploration->task->program;
    const struct worker *endless = find_endless(exploration);
    int written = snprintf(verdict->reason, sizeof verdict->reason, "%s", reason);
    if (endless && written > 0) {
        const struct event *event =
            chronological_event(&endless->chronological, chronological_newest(&endless->chronological));
        const struct position *position = &program->positions[event->pos];
        snprintf(verdict->reason + written, sizeof verdict->reason - (size_t)written,
                 "; an execution of %zu steps has reached %s:%u: does the loop there end?  --unroll N bounds it",
                 endless->chronological.taken.count, program_string(program, position->file), position->line);
    }
}

static void decide(const struct exploration *exploration, struct verdict *verdict) {
    const struct program *program = exploration->task->program;
    const char *reason = limits_reason(exploration->task->limits);
    unsigned met = 0;
    bool misused = false;
    uint32_t held_up = 0;
    const struct worker *refused = NULL;
    for (uint32_t i = 0; i < exploration->workers_count; i++) {
        const struct worker *worker = &exploration->workers[i];
        met |= worker->met;
        misused = misused || worker->misused;
        verdict->endless = verdict->endless || worker->endless;
        held_up = worker->held_up ? worker->held_up : held_up;
        refused = worker->refused ? worker : refused;
    }
    if (verdict->word == VERDICT_VIOLATION) {
        return;
    }
    if (reason || verdict->endless) {
        give_reason(exploration, reason ? reason : "an execution seems to have no end", verdict);
    } else if (refused) {
        const struct position *position = &program->positions[refused->refused_pos];
        verdict_refuse(verdict, program_string(program, position->file), position->line,
                       "a nondeterministic value with more than 4096 possible values: cut its domain down, or let "
                       "--engine seq take it as a whole");
    } else if (verdict->reason[0]) {
        return;
    } else if (held_up) {
        const struct position *position = &program->positions[held_up - 1];
        verdict->word = VERDICT_UNDECIDED;
        snprintf(
            verdict->reason, sizeof verdict->reason,
            "a thread is blocked in an atomic section (%s:%u), and explore skips some of what the others do before",
            program_string(program, position->file), position->line);
    } else if (verdict_lacks_executions(verdict->traces, verdict->cut, met)) {
        verdict_set_incomplete(verdict, exploration->task, met);
    } else {
        /* A dropped execution matters only to errors. */
        verdict_set_safe(verdict, exploration->task,
                         met | MET_FINITE | (exploration->options->maximal ? MET_ENDED : 0));
        if (misused) {
            verdict_add_bound(verdict, "what follows the use of a freed object apart");
        }
    }
}

/* Adds the findings of a worker to those of the first one. */
static void merge(struct worker *first, struct worker *worker, struct verdict *verdict) {
    struct verdict *other = worker->verdict;
    verdict->traces += other->traces;
    verdict->blocked += other->blocked;
    verdict->cut += other->cut;
    verdict->redundant += other->redundant;
    if (!verdict->reason[0]) {
        memcpy(verdict->reason, other->reason, sizeof verdict->reason);
    }
    if (verdict->word != VERDICT_VIOLATION && other->word == VERDICT_VIOLATION) {
        struct witness witness = verdict->witness;
        verdict->word = VERDICT_VIOLATION;
        verdict->error = other->error;
        verdict->witness = other->witness;
        other->witness = witness;
    }
    visited_join(&first->traces, &worker->traces);
    visited_join(&first->blocked_traces, &worker->blocked_traces);
}

static void *run_worker(void *data) {
    worker_run(data);
    return NULL;
}

/* The first worker runs in this thread, and starts the others only if there is work for them. */
static void run_workers(struct exploration *exploration) {
    uint32_t count = exploration->workers_count;
    pthread_t *threads = memory_allocate(count * sizeof *threads);
    uint32_t started = 1;
    while (started < count &&
           pthread_create(&threads[started], NULL, run_worker, &exploration->workers[started]) == 0) {
        started++;
    }
    worker_run(&exploration->workers[0]);
    for (uint32_t i = 1; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
    free(threads);
}

/* Only stores and locks of the bus may wait for the bus here; automata have no other steps. */
static const char *explore_refuses(const struct task *task) {
    bool bus = false;
    bool others = false;
    for (size_t i = 0; i < task->program->code_count; i++) {
        const struct instruction *instruction = &task->program->code[i];
        bool sync = instruction->op == OP_SYNC;
        bus = bus || (sync && instruction->width == SYNC_BUS_LOCK);
        others = others || (sync && instruction->width < SYNC_THREAD_CREATE) || instruction->op == OP_RMW ||
                 instruction->op == OP_CAS || instruction->op == OP_ATOMIC_BEGIN;
    }
    return bus && others
               ? "engine explore does not know the bus lock beside other locks and atomic operations: use brute"
               : NULL;
}

static void explore_run(const struct task *task, struct verdict *verdict) {
    uint32_t count = task->jobs > 1 ? task->jobs : 1;
    const struct explore_options *options = explore_options(task);
    struct exploration exploration = {
        .task = task,
        .options = options,
        .source = options->dpor == DPOR_SOURCE,
        .workers_count = count,
    };
#ifndef NDEBUG
    const char *every = getenv("PICKET_CHECK_EVERY");
    exploration.check_every = options->check_every > 0 || !every ? options->check_every : (uint32_t)atoi(every);
#endif
    struct worker *workers = memory_allocate(count * sizeof *workers);
    struct verdict *verdicts = memory_allocate(count * sizeof *verdicts);
    exploration.workers = workers;
    pthread_mutex_init(&exploration.calling, NULL);
    slots_init(&exploration.slots);
    picks_init(&exploration.picks);
    for (uint32_t i = 0; i < count; i++) {
        verdict_init(&verdicts[i]);
        worker_init(&workers[i], &exploration, i, i == 0 ? verdict : &verdicts[i]);
    }
    tree_init(&exploration.tree, &workers[0].pool, count > 1);
    run_workers(&exploration);
    for (uint32_t i = 1; i < count; i++) {
        merge(&workers[0], &workers[i], verdict);
    }
    decide(&exploration, verdict);
    verdict->collected.traces = workers[0].traces.count;
    verdict->collected.blocked = workers[0].blocked_traces.count;
    verdict->collected.digest = visited_digest(&workers[0].traces);
    tree_delete(&exploration.tree);
    for (uint32_t i = 0; i < count; i++) {
        worker_delete(&workers[i]);
        verdict_delete(&verdicts[i]);
    }
    free(workers);
    free(verdicts);
    slots_delete(&exploration.slots);
    picks_delete(&exploration.picks);
    pthread_mutex_destroy(&exploration.calling);
}

static const struct explore_options defaults = {.dpor = DPOR_OPTIMAL};

const struct engine engine_explore = {
    .name = "explore",
    .what = "one execution per behaviour: for programs that end",
    .run = explore_run,
    .refuses = explore_refuses,
    .defaults = &defaults.common,
};
