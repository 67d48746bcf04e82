/* A worker walks depth first over one machine.  Each state on its way has a mark to go back to, what sleeps there (what
 * has been explored from here, or from before and does not depend on what was done since), and a node in the tree of
 * what is to be explored.  When an execution is maximal, each of its races is turned around: from the state before the
 * earlier event, everything that does not depend on it, then the later event.  Optimal-DPOR inserts that sequence into
 * the tree there, unless something asleep covers it; Source-DPOR adds one of its initial transitions.
 *
 * Threads may wait for each other.  A thread that is stuck when the execution is maximal has races too: its next step
 * with the latest event before which it could have been taken.
 *
 * A worker that has nothing to do takes a pending node from elsewhere in the tree and makes its way there. */
#ifndef PICKET_EXPLORE_WORKER_H
#define PICKET_EXPLORE_WORKER_H

#include "engine/engine.h"
#include "engine/trace.h"
#include "engine/visited.h"
#include "explore/check.h"
#include "explore/rehearsal.h"
#include "explore/tree.h"

/* What the workers of one exploration share. */
struct exploration {
    const struct task *task;
    struct tree tree;
    struct worker *workers;
    uint32_t workers_count;
    bool source;      /* Source-DPOR */
    atomic_bool stop; /* a violation, a refusal, a limit, or task.maximal has said so */
    struct picks picks;
    pthread_mutex_t calling; /* one worker at a time calls what the task has given */
    struct slots slots;      /* of the workers' machines */
    uint32_t check_every;    /* debug builds: as task.check_every; 0: the executions whose number is a power of 2 */
};

/* A state on the way. */
struct place {
    machine_mark mark;
    size_t sleep_first; /* in worker.sleep; up to the next one's, or the end */
    uint32_t event;     /* that leads there */
    uint32_t node;      /* NO_NODE: explored freely, and nobody has asked for a node yet */
    uint32_t slept;     /* the last child that was put to sleep, or NO_NODE */
    bool went_on;       /* freely, once */
};

/* Invariants, in debug builds asserted or evaluated now and then (invariants.h):
 *
 *     W1  Nothing asleep is taken: no event was explored from an earlier state of the execution before, unless it
 *         happens after one of those since.
 *     W2  The stack has one state more than events were scheduled, each with the event that leads there; what sleeps is
 *         in the order of the states.
 *     W3  What sleeps in a state is enabled there.
 *     W4  The first step of a sequence that is explored next is enabled, and none of what sleeps; a section in it has
 * the choice that its label says. */
struct worker {
    struct exploration *exploration;
    uint32_t number;
    struct verdict *verdict; /* its own counts, and a violation if it has found one */
    struct machine *machine;
    struct chronological chronological;
    struct tree_pool pool;
    struct vector stack;  /* of struct place: one more than events that were scheduled */
    struct vector sleep;  /* of struct sleeper */
    struct vector asleep; /* of struct sleeper: scratch */
    struct vector path;   /* of uint32_t: scratch */
    struct sequence sequence;
    struct outline outline;
    struct rehearsal rehearsal;
    struct trace trace; /* if traces are collected */
    struct visited traces;
    struct visited blocked_traces;
    uint32_t turned_until; /* the races of the events before this one were turned around in an earlier execution */
    uint32_t turns;        /* of its loop */
    unsigned met;          /* bits of enum met */
    bool misused;          /* an object was used behind its end, and others run on */
    bool refused;
    uint32_t refused_pos;
    struct checker checker; /* debug builds */
    uint64_t checkable;     /* executions that it may have checked */
    char apart[128];        /* no cache line of one worker is another's */
};

void worker_init(struct worker *worker, struct exploration *exploration, uint32_t number, struct verdict *verdict);
void worker_delete(struct worker *worker);

/* Works until everything is explored or somebody says stop.  The first worker begins at the root. */
void worker_run(struct worker *worker);

#endif
