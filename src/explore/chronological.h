/* The happens-before relation of chronological traces, on the fly (Abdulla et al., Stateless model checking for TSO and
 * PSO, TACAS 2015, Sections 4 and 5, and what they leave out: accesses of several sizes, locks and other waiting).
 *
 * Events belong to threads and to auxiliary threads that drain buffers: under TSO one per thread, under PSO one per
 * store. The edges are:
 *
 *     program order     between the steps of a thread; from its creation to its first, from its last to its join
 *     store to update   from a store to its drain; between the drains of a thread (PSO: of overlapping stores, and of
 *                       stores before and behind a store barrier)
 *     update to fence   from a thread's drains to the first step that had to wait for them
 *     update to update  between overlapping drains of different threads
 *     source            from the drain of another thread to the load that sees it
 *     conflict          from a load to the overlapping drain that follows what the load has read
 *
 * A load served by the own buffer follows the drain of its store, whenever that comes; until then it is unordered.
 *
 * The events that happen before an event are its clock (clocks.h), a row of bits: that is shorter than a vector of
 * counters once each store under PSO is a thread of its own.
 *
 * The end of a thread, the join of one that has ended, a store into a buffer and a fence behind the last drain disturb
 * nobody and wait for nothing else: nothing is gained by scheduling them.  They are trailing events, taken together
 * with the one that makes them possible, in whatever order the others come.  (Not where somebody may ask whether a
 * thread has ended, or joins in an atomic section.)
 *
 * A race of an event is an earlier one, of another thread, that could come after it instead: an edge of the last three
 * kinds that no other path doubles.  An event that waits (a lock, a read that ends a waiting loop) races not with what
 * woke it but with the latest event before which it was enabled too. */
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
    bool waits;   /* it is a step that waits until it is enabled */
    bool chooses; /* it had several ways to go */
    bool plain;   /* an access that is not atomic; a drain: its store */
    bool awaits;  /* a step of a waiting loop */
    bool ends_object;
    bool fails;     /* a section in which an error was met */
    bool joins;     /* it has joined thread `other` */
    bool trails;    /* it was taken together with the event before it */
    uint32_t place; /* how many events were scheduled before it; the trailing ones do not count */
    uint32_t pos;
    uint32_t store;    /* drain: the event of its store; load served early: the store it reads */
    uint32_t early;    /* store: the last load that it served early; such a load: the one before */
    uint32_t taken;    /* where its transitions begin: one, or those of an atomic section */
    uint32_t races;    /* where its races begin */
    uint32_t reversed; /* where the labels of its reversed races begin */
    uint32_t links;    /* how many links of chains there were before it */
    uint32_t failed;   /* how many failed reads were noted before it */
    uint32_t undone;   /* how many undone writes */
    uint32_t large;    /* how many large accesses there were before it */
    uint32_t barrier;  /* PSO, store: how many store barriers came before it */
    int32_t others;    /* how many threads it has created, less those that it has joined */
    uint64_t serial;
    uint64_t other; /* sync: as in struct step */
    /* Of its thread, before it. */
    uint32_t last_step;
    uint32_t last_drain;
    uint32_t serials; /* number of serial numbers that the line knows */
    uint64_t fenced;
};

/* A race of an event: the earlier one, and what the later one becomes without it. */
struct race {
    uint32_t event;
    uint32_t first;  /* in chronological.reversed: the labels that it may have, ... */
    uint32_t labels; /* ... as many; 0: that which it has */
};

/* A read with which a waiting loop may have gone round once more: it changes nothing, so it is no event. */
struct failed_read {
    uint32_t thread;
    struct access access;
    uint32_t pos;
    uint32_t event;      /* the read that ended the loop, or NO_EVENT */
    uint32_t last_step;  /* of its thread, before the loop */
    uint32_t last_drain; /* for which it waits, or NO_EVENT */
    uint32_t after;      /* the write that it has read, or NO_EVENT: what was there at the beginning */
    uint32_t next;       /* the write that came then, or NO_EVENT */
};

/* A waiting step races with `earlier`, and could have come before it only if this later write, of other bytes, had not
 * come either. */
struct undone_write {
    uint32_t waiting;
    uint32_t earlier;
    uint32_t write;
};

/* Invariants, in debug builds asserted or evaluated now and then (invariants.h); what they say about the execution as a
 * whole is in check.h:
 *
 *     C1  A step happens after all earlier steps of its thread, a drain after its store.
 *     C2  Clocks are transitively closed.
 *     C3  The races of an event are earlier events of other threads that were scheduled and happen before it; none
 *         happens before another.
 *     C4  What is known of a thread (struct line) names no event that was removed.
 *     C5  The counts are those of the events: how many were scheduled and chose, how many threads there are; every
 * event has taken a transition. */
struct chronological {
    struct machine *machine;
    bool buffered;
    bool fifo;
    bool needs_old;         /* may it matter what a write has overwritten? */
    bool settles;           /* are there trailing events? */
    bool merges;            /* are ends and joins of one thread, behind the same event, one? */
    bool end_sections;      /* does an atomic section in which an error is met, or a thread waits, end there? */
    bool may_choose;        /* may a step of this program have several ways to go? */
    bool bus;               /* does it lock the bus? */
    struct vector events;   /* of struct event */
    struct vector keys;     /* of uint32_t, by event: transition_key, or TRAILING_KEY */
    uint32_t scheduled;     /* how many of them do not trail */
    int32_t others;         /* how many threads they have created and not joined */
    struct clocks clocks;   /* by event */
    struct vector races;    /* of struct race */
    struct vector reversed; /* of struct label */
    struct access_lists lists;
    struct vector taken; /* of struct transition */
    struct vector lines; /* of struct line *: by thread */
    struct chains chains;
    struct vector failed;       /* of struct failed_read */
    struct vector undone;       /* of struct undone_write */
    bool notes_failed;          /* are they wanted? */
    struct vector changes;      /* of struct change: of the newest event */
    struct effect effect;       /* scratch: of a step without some events */
    struct vector large;        /* of uint32_t: events with an access that spans many words */
    struct vector predecessors; /* scratch */
    struct vector found;        /* of struct race: of a step that waits */
    struct vector words;        /* scratch */
    struct vector newborn;      /* of uint32_t: threads that the newest scheduled event has created */
    struct trace *trace;        /* if not NULL: gets every step */
    uint32_t error_end;   /* transitions up to the first error that the newest events have met; 0 if there is none */
    uint32_t error_event; /* which of them has met it */
    struct machine_error error;      /* that one */
    uint32_t choosing;               /* how many events had several ways to go */
    const struct transition *script; /* chronological_follow: what the section takes, and how much of it there is */
    size_t script_count;
    struct picks *picks;        /* or NULL: each section goes the way that it is told step by step */
    struct vector picked;       /* of uint32_t: by choice of the newest section, which way it took ... */
    struct vector section_ways; /* ... and of how many, of uint32_t */
    bool too_many_ways;         /* for a choice in a section ... */
    uint32_t too_many_pos;      /* ... here */
};

void chronological_init(struct chronological *chronological, struct machine *machine);
void chronological_delete(struct chronological *chronological);

/* Lets events trail, if nobody can notice when they come.  If `merges`, the ends and joins of one thread that trail the
 * same event are one. */
void chronological_settle(struct chronological *chronological, bool merges);

/* Takes the transition on the machine and adds its event, and those that trail it.  An atomic section is one event;
 * what is chosen in it is the choice of its first transition: the number of a list of picks. */
void chronological_add(struct chronological *chronological, struct transition transition);

/* The same for the first of these steps, which the machine has taken before; a section goes the way that they go. */
void chronological_follow(struct chronological *chronological, const struct transition *steps, size_t count);

/* The label of a step: in programs that lock the bus, it says also what that has to do with it. */
void chronological_label(struct chronological *chronological, struct label *label, struct transition transition,
                         const struct step *step);
/* Sets the accesses of a label, of an access or an operation, to those of an effect. */
void chronological_label_effect(struct chronological *chronological, struct label *label, const struct effect *effect);

/* Removes the last event that was scheduled, and what trails it; undoing the machine is the caller's business. */
void chronological_pop(struct chronological *chronological);

static inline struct event *chronological_event(const struct chronological *chronological, uint32_t event) {
    return (struct event *)chronological->events.data + event;
}

/* Where the transitions of an event end. */
static inline size_t chronological_taken_end(const struct chronological *chronological, uint32_t event) {
    return event + 1 < chronological->events.count ? chronological_event(chronological, event + 1)->taken
                                                   : chronological->taken.count;
}

/* Whose transition it is: a thread's or its buffer's. */
static inline uint32_t transition_key(struct transition transition) {
    return transition.thread * 2 + (transition.kind == TRANSITION_DRAIN);
}

/* The last event that was scheduled. */
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

/* Is `event` there, and `earlier` or something that happens after it? */
static inline bool event_follows(const struct chronological *chronological, uint32_t event, uint32_t earlier) {
    return event != NO_EVENT && (event == earlier || happens_before(chronological, earlier, event));
}

/* A thread stands at a step that is not enabled: how many events it races with, which are in `found`.  `label` is the
 * step's; `last_step` and `last_drain` are the last of its thread. */
size_t chronological_blocked_races(struct chronological *chronological, uint32_t thread, struct label *label,
                                   uint32_t *last_step, uint32_t *last_drain);

/* The last step of a thread, or the one that created it. */
uint32_t chronological_last_step(struct chronological *chronological, uint32_t thread);
uint32_t chronological_last_drain(struct chronological *chronological, uint32_t thread); /* or NO_EVENT */

#endif
