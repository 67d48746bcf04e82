/* The checker's view of an execution: its events as the machine describes them, and their happens-before relation. */
#ifndef PICKET_EXPLORE_CHECK_EVENTS_H
#define PICKET_EXPLORE_CHECK_EVENTS_H

#include "explore/check.h"

#define BIT(event) (UINT64_C(1) << (event))

/* An event, as the machine describes it. */
struct seen_event {
    uint32_t thread;
    uint32_t previous;    /* a step: its predecessor in the thread, or the event that created the thread; or NO_EVENT */
    uint32_t instruction; /* next instruction of its thread before the event */
    uint32_t barrier;     /* a buffered store: number of store barriers before it */
    bool drain;
    bool section;
    bool fences;         /* waits until the buffer of its thread is empty */
    bool early;          /* a load served by the own buffer */
    bool loads;          /* a load of memory */
    uint64_t serial;     /* number of a buffered store; a drain, a load served early: the number of its store */
    struct access range; /* the bytes stored or loaded */
    uint32_t access;     /* its accesses of memory in checker.accesses ... */
    uint32_t access_end;
    uint32_t step; /* its steps in checker.steps, one for each transition ... */
    uint32_t step_end;
};

/* An event creates or joins a thread. */
struct thread_tie {
    uint32_t event;
    uint32_t thread;
    bool joins;
};

static inline struct seen_event *seen_at(const struct checker *checker, uint32_t event) {
    return vector_at(&checker->seen, event);
}

static inline bool seen_before(const struct checker *checker, uint32_t earlier, uint32_t later) {
    return checker->before[later] & BIT(earlier);
}

/* Does the event access a byte of this range; with `only_writes`, write one? */
bool seen_overlaps(const struct checker *checker, const struct seen_event *seen, const struct access *other,
                   bool only_writes);

/* Executes the events on the checker's machine, from the start, and fills in checker.seen. */
void checker_see(struct checker *checker, struct chronological *execution);

/* Ends an atomic section in which the thread is blocked for ever; called after the last transition of an event. */
void checker_end_section(struct checker *checker, struct chronological *execution, uint32_t thread);

/* Fills in checker.before. */
void checker_derive_order(struct checker *checker, struct chronological *execution);

#endif
