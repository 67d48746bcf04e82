/* A worker searches depth first with one machine.  Each state on its stack has a mark for undoing, a part of the sleep
 * set (transitions explored from here, or from earlier states and independent of all since), and a node in the tree of
 * what is to be explored.  When an execution is maximal, the worker reverses each of its races: from the state before
 * the earlier event, all events that do not happen after it, then the later event.  Optimal-DPOR inserts that sequence
 * into the tree there, unless the sleep set covers it; Source-DPOR adds one of its initial transitions.
 *
 * Threads may wait for each other.  A thread that is blocked when the execution is maximal has races too: those of its
 * next step with the latest events before which it could have been taken.
 *
 * An idle worker takes a pending node from another part of the tree and executes the events that lead to it. */
#ifndef PICKET_EXPLORE_WORKER_H
#define PICKET_EXPLORE_WORKER_H

#include "engine/engine.h"
#include "engine/trace.h"
#include "engine/visited.h"
#include "explore/check.h"
#include "explore/explore.h"
#include "explore/rehearsal.h"
#include "explore/tree.h"

/* What the workers of one exploration share. */
struct exploration {
    const struct task *task;
    const struct explore_options *options;
    struct tree tree;
    struct worker *workers;
    uint32_t workers_count;
    bool source;      /* Source-DPOR */
    atomic_bool stop; /* there is a violation, a refusal or a limit, or options.maximal has ended the exploration */
    struct picks picks;
    pthread_mutex_t calling; /* held while a worker calls a function of the task */
    struct slots slots;      /* of the workers' machines */
    uint32_t check_every;    /* debug builds: as options.check_every; 0: executions with numbers that are powers of 2 */
};

/* A state of the current execution. */
struct stack_entry {
    machine_mark mark;
    size_t sleep_first; /* in worker.sleep; its part ends where the next entry's begins */
    uint32_t event;     /* the event that leads there */
    uint32_t node;      /* NO_NODE: explored freely, and no node has been needed yet */
    uint32_t slept;     /* the last child that was added to the sleep set, or NO_NODE */
    bool extended;      /* freely, once */
};

/* Invariants, in debug builds asserted or evaluated now and then (invariants.h):
 *
 *     W1  No transition in the sleep set is taken: none was explored from an earlier state of the execution, unless it
 *         happens after one of the events since.
 *     W2  The stack has one state more than events were scheduled, each with the event that leads there; the sleep set
 *         is in the order of the states.
 *     W3  The transitions in the sleep set of a state are enabled there.
 *     W4  The first step of a sequence that is explored next is enabled and not in the sleep set; if the step is a
 *         section, it has the choice of its label. */
struct worker {
    struct exploration *exploration;
    uint32_t number;
    struct verdict *verdict; /* counts of this worker, and its violation, if any */
    struct machine *machine;
    struct chronological chronological;
    struct tree_pool pool;
    struct vector stack;  /* of struct stack_entry: number of scheduled events + 1 */
    struct vector sleep;  /* of struct sleeper */
    struct vector asleep; /* of struct sleeper: scratch */
    struct vector path;   /* of uint32_t: scratch */
    struct sequence sequence;
    struct outline outline;
    struct rehearsal rehearsal;
    struct trace trace; /* if traces are collected */
    struct visited traces;
    struct visited blocked_traces;
    uint32_t reversed_until; /* the races of the events before this one were reversed in an earlier execution */
    uint32_t iterations;     /* of the main loop */
    uint64_t ended;          /* own executions that had ended at the last check for an endless one ... */
    double since;            /* ... and the CPU time of the process at that check */
    bool endless;            /* the current execution seems to have no end, by options.longest_steps or longest_s */
    unsigned met;            /* bits of enum met */
    bool misused;            /* an object was used after its end, and the other threads run on */
    uint32_t held_up; /* position + 1 of a thread that is blocked in an atomic section while no other thread runs on; 0:
                         none */
    bool refused;
    uint32_t refused_pos;
    struct checker checker; /* debug builds */
    uint64_t checkable;     /* number of executions that could have been checked */
    char apart[128];        /* separates the cache lines of workers */
};

void worker_init(struct worker *worker, struct exploration *exploration, uint32_t number, struct verdict *verdict);
void worker_delete(struct worker *worker);

/* Explores until everything is explored or `stop` is set.  The first worker begins at the root. */
void worker_run(struct worker *worker);

#endif
