/* The engine: its workers, and what they have found together. */
#include "explore/explore.h"

#include <stdlib.h>

#include "explore/worker.h"
#include "util/memory.h"

#define LONG_EXECUTION 10000

/* The worker whose execution has become longest, if it is longer than those of programs that end. */
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

/* A limit was reached: says so, and where an execution goes on that may have no end. */
static void give_reason(const struct exploration *exploration, const char *reason, struct verdict *verdict) {
    const struct program *program = exploration->task->program;
    const struct worker *endless = find_endless(exploration);
    int written = snprintf(verdict->reason, sizeof verdict->reason, "%s", reason);
    if (endless && written > 0) {
        const struct event *event =
            chronological_event(&endless->chronological, chronological_newest(&endless->chronological));
        const struct position *position = &program->positions[event->pos];
        snprintf(verdict->reason + written, sizeof verdict->reason - (size_t)written,
                 "; an execution of %zu steps has come to %s:%u: does the loop there end?  --unroll N bounds it",
                 endless->chronological.taken.count, program_string(program, position->file), position->line);
    }
}

static void decide(const struct exploration *exploration, struct verdict *verdict) {
    const struct program *program = exploration->task->program;
    const char *reason = limits_reason(exploration->task->limits);
    unsigned met = 0;
    bool misused = false;
    const struct worker *refused = NULL;
    for (uint32_t i = 0; i < exploration->workers_count; i++) {
        const struct worker *worker = &exploration->workers[i];
        met |= worker->met;
        misused = misused || worker->misused;
        refused = worker->refused ? worker : refused;
    }
    if (verdict->word == VERDICT_VIOLATION) {
        return;
    }
    if (reason) {
        give_reason(exploration, reason, verdict);
    } else if (refused) {
        const struct position *position = &program->positions[refused->refused_pos];
        verdict_refuse(verdict, program_string(program, position->file), position->line,
                       "a nondeterministic value with more than 4096 possible values: cut its domain down, or let "
                       "--engine seq take it as a whole");
    } else if (verdict->reason[0]) {
        return;
    } else if (verdict->traces == 0 && verdict->cut > 0) {
        verdict_set_incomplete(verdict, exploration->task, met);
    } else {
        verdict_set_safe(verdict, exploration->task, met);
        if (misused) {
            verdict_add_bound(verdict, "what follows the use of a freed object apart");
        }
    }
}

/* Adds what a worker has found to the first one's. */
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

/* The first worker runs in this thread, and needs the others only if there is work for them. */
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

/* Of what waits while somebody holds the bus, only stores and locks of the bus are known here: automata have no more.
 */
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
    struct exploration exploration = {
        .task = task,
        .source = task->dpor == DPOR_SOURCE,
        .workers_count = count,
    };
#ifndef NDEBUG
    const char *every = getenv("PICKET_CHECK_EVERY");
    exploration.check_every = task->check_every > 0 || !every ? task->check_every : (uint32_t)atoi(every);
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

const struct engine engine_explore = {
    .name = "explore",
    .what = "one execution per behaviour: for programs that end",
    .run = explore_run,
    .refuses = explore_refuses,
};
