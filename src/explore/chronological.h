/* The happens-before relation of chronological traces, computed while an execution grows (Abdulla et al., Stateless
 * model checking for TSO and PSO, TACAS 2015, Sections 4 and 5; extended by accesses of several sizes, locks and other
 * waiting steps).
 *
 * Events belong to threads and to auxiliary threads that drain buffers: under TSO one per thread, under PSO one per
 * store. The edges are:
 *
 *     program order     between the steps of a thread; from its creation to its first, from its last to its join
 *     store to update   from a store to its drain; between the drains of a thread (PSO: of overlapping stores, and of
 *                       stores before and after a store barrier)
 *     update to fence   from a thread's drains to the first step that had to wait for them
 *     update to update  between overlapping drains of different threads
 *     source            from the drain of another thread to the load that sees it
 *     conflict          from a load to the overlapping drain that follows what the load has read
 *
 * A load served by the own buffer comes after the drain of its store, whenever that is; until then it is unordered.
 *
 * The events that happen before an event are its clock (clocks.h), a row of bits: under PSO each store is a thread of
 * its own, and a row of bits is shorter than a vector of counters then.
 *
 * The end of a thread, the join of one that has ended, a store into a buffer and a fence after the last drain affect no
 * other thread and wait for nothing else, so their position in an execution does not matter.  They are trailing events:
 * each is taken together with the event that enables it.  (Not where a thread may ask whether another one has ended, or
 * joins in an atomic section.)
 *
 * A race of an event is an earlier event of another thread that could come after it instead: an edge of the last three
 * kinds that is not implied by other edges.  An event that has waited (a lock, a read that ends a waiting loop) races
 * not with the event that enabled it but with the latest event before which it was enabled too. */
#ifndef PICKET_EXPLORE_CHRONOLOGICAL_H
#define PICKET_EXPLORE_CHRONOLOGICAL_H

#include "engine/label.h"
#include "engine/trace.h"
#include "explore/chains.h"
#include "explore/clocks.h"
#include "explore/picks.h"
#include "util/vector.h"

#define NO_EVENT UINT32_MAX
#define TRAILING_KEY UINT32_MAX

struct event {
    struct label label;
    uint8_t kind; /* enum step_kind */
    uint8_t sub;
    bool waits;   /* it is a step that may be disabled */
    bool chooses; /* its step had several choices */
    bool plain;   /* an access that is not atomic; a drain: its store; a section: one of its accesses */
    bool awaits;  /* a step of a waiting loop */
    bool ends_object;
    bool fails;        /* a section in which an error was made */
    bool exits;        /* a section in which the process ends */
    bool joins;        /* it has joined thread `other` */
    bool trails;       /* it was taken together with the event before it */
    uint32_t position; /* number of events scheduled before it; trailing ones do not count */
    uint32_t pos;
    uint32_t store;    /* drain: the event of its store; load served early: the store it reads */
    uint32_t early;    /* store: the last load that it served early; such a load: the previous one */
    uint32_t taken;    /* index of its first transition: it has one, or those of an atomic section */
    uint32_t races;    /* index of its first race */
    uint32_t reversed; /* index of the first label of its reversed races */
    uint32_t links;    /* number of links of chains before it */
    uint32_t failed;   /* number of failed reads before it */
    uint32_t undone;   /* number of undone writes before it */
    uint32_t large;    /* number of large accesses before it */
    uint32_t lives;    /* number of notes about lives before it */
    uint32_t barrier;  /* PSO, store: number of store barriers before it */
    int32_t others;    /* number of threads that it has created, less those that it has joined */
    uint64_t serial;
    uint64_t other; /* sync: as in struct step */
    /* Of its thread, before it. */
    uint32_t last_step;
    uint32_t last_drain;
    uint32_t serials; /* number of serial numbers in the line */
    uint64_t fenced;
};

/* A race of an event: the earlier event, and the labels that the later one may have without it. */
struct race {
    uint32_t event;
    uint32_t first;  /* in chronological.reversed: the labels that it may have, ... */
    uint32_t labels; /* ... and their number; 0: its present one */
};

/* A read by which an iteration of a waiting loop may have failed: the read changes nothing, so it is no event. */
struct failed_read {
    uint32_t thread;
    struct access access;
    uint32_t pos;
    uint32_t event;      /* the read that ended the loop, or NO_EVENT */
    uint32_t last_step;  /* of its thread, before the loop */
    uint32_t last_drain; /* for which it waits, or NO_EVENT */
    uint32_t after;      /* the write that it reads, or NO_EVENT: the initial value */
    uint32_t next;       /* the next write of the same bytes, or NO_EVENT */
};

/* A waiting step races with `earlier`, and could have come before it only if this later write, of other bytes, had not
 * come before it either. */
struct undone_write {
    uint32_t waiting;
    uint32_t earlier;
    uint32_t write;
};

/* What an event does that concerns the life of a heap object.  A comparison of its address is no access: it conflicts
 * with nothing, and the end of the object may come before it in every execution of the trace in which the comparison
 * does not happen before the end. */
struct event_life {
    uint32_t event;
    struct life_note note;
};

/* Invariants, in debug builds asserted or evaluated now and then (invariants.h); what they say about the execution as a
 * whole is in check.h:
 *
 *     C1  A step happens after all earlier steps of its thread, a drain after its store.
 *     C2  Clocks are transitively closed.
 *     C3  The races of an event are earlier events of other threads that were scheduled and happen before it; none
 *         happens before another.
 *     C4  The line of a thread names no event that was removed.
 *     C5  The counts are those of the events: scheduled ones, choosing ones, threads.  Every event has transitions. */
struct chronological {
    struct machine *machine;
    bool buffered;
    bool fifo;
    bool needs_old;         /* may the old value of a write matter? */
    bool settles;           /* are there trailing events? */
    bool merges;            /* are the end and the join of one thread, after the same event, one event? */
    bool end_sections;      /* does an error or a blocked step in an atomic section end the section? */
    bool may_choose;        /* may a step of this program have several choices? */
    bool bus;               /* does it lock the bus? */
    struct vector events;   /* of struct event */
    struct vector keys;     /* of uint32_t, by event: transition_key, or TRAILING_KEY */
    uint32_t scheduled;     /* number of events that do not trail */
    int32_t others;         /* number of threads that they have created and not joined */
    struct clocks clocks;   /* by event */
    struct vector races;    /* of struct race */
    struct vector reversed; /* of struct label */
    struct access_lists lists;
    struct vector taken; /* of struct transition */
    struct vector lines; /* of struct line *: by thread */
    struct chains chains;
    struct vector failed;       /* of struct failed_read */
    struct vector undone;       /* of struct undone_write */
    bool notes_failed;          /* are they collected? */
    struct vector lives;        /* of struct event_life */
    struct vector noted;        /* of struct life_note: of the newest step, if the machine has it as options.lives */
    struct vector changes;      /* of struct change: of the newest event */
    struct effect effect;       /* scratch: of a step without some events */
    struct vector large;        /* of uint32_t: events with an access to many words */
    struct vector predecessors; /* scratch */
    struct vector found;        /* of struct race: of a step that waits */
    struct vector words;        /* scratch */
    struct vector newborn;      /* of uint32_t: threads that the newest scheduled event created */
    struct trace *trace;        /* if not NULL: receives every step */
    uint32_t error_end;   /* number of transitions up to the first error of the newest events; 0 if there is none */
    uint32_t error_event; /* the one with that error */
    struct machine_error error;      /* that error */
    uint32_t choosing;               /* number of events with several choices */
    const struct transition *script; /* chronological_follow: transitions that the section takes, and their number */
    size_t script_count;
    struct picks *picks;  /* or NULL: the script determines the choices of sections */
    struct vector picked; /* of uint32_t: for each step of the newest section with several choices, the one taken ... */
    struct vector section_choices; /* ... and the number of choices, of uint32_t */
    bool too_many_choices;         /* of a step in a section ... */
    uint32_t too_many_pos;         /* ... at this position */
};

void chronological_init(struct chronological *chronological, struct machine *machine);
void chronological_delete(struct chronological *chronological);

/* Lets events trail if their position in an execution does not matter.  With `merges`, the end and the join of one
 * thread that trail the same event are one event. */
void chronological_settle(struct chronological *chronological, bool merges);

/* Takes the transition on the machine and adds its event, and those that trail it.  An atomic section is one event; the
 * choice of its first transition is the number of a list of picks (picks.h). */
void chronological_add(struct chronological *chronological, struct transition transition);

/* As chronological_add for the first of these transitions, which the machine has taken before in the same state; a
 * section takes the same transitions again. */
void chronological_follow(struct chronological *chronological, const struct transition *steps, size_t count);

/* The label of a step; in programs that lock the bus, with its access to the bus. */
void chronological_label(struct chronological *chronological, struct label *label, struct transition transition,
                         const struct step *step);
/* Sets the accesses of a label, of an access or an operation, to those of an effect. */
void chronological_label_effect(struct chronological *chronological, struct label *label, const struct effect *effect);

/* Removes the last scheduled event and those that trail it; the caller undoes the machine. */
void chronological_pop(struct chronological *chronological);

static inline struct event *chronological_event(const struct chronological *chronological, uint32_t event) {
    return (struct event *)chronological->events.data + event;
}

/* Index after the last transition of an event. */
static inline size_t chronological_taken_end(const struct chronological *chronological, uint32_t event) {
    return event + 1 < chronological->events.count ? chronological_event(chronological, event + 1)->taken
                                                   : chronological->taken.count;
}

/* Identifies the thread or buffer of a transition. */
static inline uint32_t transition_key(struct transition transition) {
    return transition.thread * 2 + (transition.kind == TRANSITION_DRAIN);
}

/* The last scheduled event. */
static inline uint32_t chronological_newest(const struct chronological *chronological) {
    uint32_t newest = (uint32_t)chronological->events.count - 1;
    while (chronological_event(chronological, newest)->trails) {
        newest--;
    }
    return newest;
}

static inline bool happens_before(const struct chronological *chronological, uint32_t earlier, uint32_t later) {
    return earlier < later && clocks_hold(&chronological->clocks, later, earlier);
}

/* Is `event` equal to `earlier`, or does it happen after it?  False if it is NO_EVENT. */
static inline bool event_follows(const struct chronological *chronological, uint32_t event, uint32_t earlier) {
    return event != NO_EVENT && (event == earlier || happens_before(chronological, earlier, event));
}

/* The number of races of a thread's next step, which is disabled; they are in `found`.  `label` is the step's;
 * `last_step` and `last_drain` are the last of its thread. */
size_t chronological_blocked_races(struct chronological *chronological, uint32_t thread, struct label *label,
                                   uint32_t *last_step, uint32_t *last_drain);

/* The last step of a thread, or the event that created the thread. */
uint32_t chronological_last_step(struct chronological *chronological, uint32_t thread);
uint32_t chronological_last_drain(struct chronological *chronological, uint32_t thread); /* or NO_EVENT */

#endif
