/* The checker derives what `explore` claims about an execution again, from the definitions alone and in the simplest
 * form, and compares.  It runs in debug builds, on executions of at most CHECK_EVENTS events; it shares no code with
 * edges.c, waiting.c and race.c.
 *
 * An event is one transition; an atomic section, and the ends and joins of one thread that chronological.h merges, are
 * one event with all their transitions.  Every access of every transition counts.
 *
 * **Happens-before** is the smallest transitive relation with, for events i before j in the execution:
 *
 *     program order     i and j are steps of the same thread; i creates j's thread; j joins i's thread
 *     store to update   j is the drain of the store i; i and j are drains of the same thread, and under PSO overlap or
 *                       have a store barrier between their stores
 *     update to fence   i is a drain of j's thread, and j is a step that waits until the buffer is empty, or a load
 *                       that could not come before i because i's store, and no later one, prevented it (overlapped
 *                       the load, and neither i's store nor a later one of the thread covers it); while no other
 *                       thread exists, every transition counts as such: no difference can be observed
 *     update to update  i and j, of different threads, write the same byte
 *     source            i, of another thread, is the last to write a byte that j reads from memory
 *     conflict          j, of another thread, writes a byte that i has read from memory, or from its buffer if the
 *                       store that i has read was drained before j
 *     wake-up           i wakes j's thread, whose next step is j
 *
 * A **race** of an event l is an event e of another thread, before l, such that l can come without e: from the state
 * before e, all events between e and l that do not happen after e lead to a state in which l's thread is at the same
 * instruction and can step (or the same drain is enabled; or all of several merged transitions can follow each other).
 * Of these events e only the latest count, those that happen before no other one: when l comes before such an e, the
 * others are races of l in that execution.
 *
 * An l that waits for a value that several threads have changed may be disabled without any single event, and yet
 * enabled without several.  So in general: a race is the first event of a set of events before l, such that l can come
 * without the set and all that happens after it, and such that the set is minimal: no other such set leaves out only
 * a part of what it leaves out.  (Sets of one event are those above.)  In a set of several events, each accesses what
 * l reads.
 *
 * One instruction that stands for several steps (a wait at a condition variable) makes no difference: a timed wait that
 * was woken could have timed out without the signal, so the signal is a race.
 *
 * A thread that is blocked when an execution ends has races too: its next step counts as an l that comes last and
 * happens after every event.
 *
 * Not checked: executions in which a thread is blocked inside an atomic section (that is an error, but `robust` asks
 * for maximal executions, and they are among these); the steps that are blocked at the end because a thread never
 * releases the bus (the bus lock of automata); an l that waits and for which more than CHECK_WRITERS events could be
 * left out.
 *
 * The invariants (enum check_invariant):
 *
 *     X1  The clocks hold exactly the happens-before relation.
 *     X2  Every race is among those that `explore` has: otherwise `explore` misses executions.
 *     X3  Every race that `explore` has is one: otherwise a reversal cannot be executed, or is redundant.
 *     X4  Without an event and all that happens after it, every other event can still come and does the same: no edge
 *         is missing in the definitions above.
 *     X5  Events in any order that happens-before allows lead to the same state (one other order is tried), if no error
 *         is met.
 *     X6  The machine is in the state to which the events lead from the beginning: nothing was lost by undoing.
 *     X7  The later event of a race, when it comes without the earlier, is enabled with the choice, has the number of
 *         choices and makes the accesses that `explore` expects of it.  (Not of an atomic section, which is rehearsed.)
 *     X8  Without the earlier event of a race, the writes that `explore` leaves out with it and all that happens after
 *         them, the later event can come. */
#ifndef PICKET_EXPLORE_CHECK_H
#define PICKET_EXPLORE_CHECK_H

#include <stdio.h>

#include "explore/chronological.h"

#define CHECK_EVENTS 40
#define CHECK_WRITERS 6 /* further events that may be left out: the checker tries all subsets */
#define CHECK_SETS 16   /* greatest number of sets of several events */

enum check_invariant {
    CHECK_NOTHING,
    CHECK_HAPPENS_BEFORE,
    CHECK_RACES_COMPLETE,
    CHECK_RACES_SOUND,
    CHECK_INDEPENDENT,
    CHECK_ORDER,
    CHECK_STATE,
    CHECK_REVERSED,
    CHECK_LEFT_OUT,
};

/* A violation of an invariant in an execution; sets of events are bits. */
struct check_mismatch {
    enum check_invariant invariant;
    uint32_t later;   /* event; the number of events stands for the end of the execution */
    uint32_t thread;  /* of the later event, or of a step that is blocked at the end */
    uint64_t claimed; /* X1: happens before it; X2, X3: its races; X4, X7, X8: the event left out */
    uint64_t derived; /* the same, derived */
};

struct checker {
    const struct program *program;
    struct machine_options options;
    struct machine *machine; /* NULL: nothing has been checked yet */
    machine_mark start;
    struct vector seen;                  /* of struct seen_event: by event, then steps that are blocked at the end */
    struct vector accesses;              /* of struct access */
    struct vector steps;                 /* of struct step: by transition */
    struct vector ties;                  /* of struct thread_tie */
    uint64_t before[CHECK_EVENTS];       /* by event: the events that happen before it */
    uint64_t races[2 * CHECK_EVENTS];    /* by entry of `seen`: the events without which it can come */
    uint64_t disabled[2 * CHECK_EVENTS]; /* likewise: the events without which its thread is at the same step, which is
                                            disabled */
    struct vector mismatches;            /* of struct check_mismatch */
    uint32_t forgotten;                  /* for tests: an event whose accesses the definitions leave out, or NO_EVENT */
};

/* The options are those of the machine whose executions are checked. */
void checker_init(struct checker *checker, const struct program *program, const struct machine_options *options);
void checker_delete(struct checker *checker);

/* Checks the execution, whose machine must be at its end, after machine_outcome; returns the number of mismatches.  0
 * if the execution is too long. */
size_t checker_run(struct checker *checker, struct chronological *execution);

/* Prints the execution and the violated invariants. */
void checker_print(const struct checker *checker, const struct chronological *execution, FILE *file);

#endif
