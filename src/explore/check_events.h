/* What the checker knows of an execution: its events as the machine shows them, and what happens before what. */
#ifndef PICKET_EXPLORE_CHECK_EVENTS_H
#define PICKET_EXPLORE_CHECK_EVENTS_H

#include "explore/check.h"

#define BIT(event) (UINT64_C(1) << (event))

/* What an event is, as the machine shows it. */
struct seen_event {
    uint32_t thread;
    uint32_t previous; /* a step: the one of its thread before it, or the event that created the thread; or NO_EVENT */
    uint32_t instruction; /* where its thread stood */
    uint32_t barrier;     /* a store into the buffer: how many store barriers came before it */
    bool drain;
    bool section;
    bool fences;         /* waits until the buffer of its thread is empty */
    bool early;          /* a load served by the own buffer */
    bool loads;          /* a load of memory */
    uint64_t serial;     /* a store into the buffer, its drain, the store that has served a load early: its number */
    struct access range; /* what it stores or loads */
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

/* Runs the execution on the checker's machine, from its start, and fills in checker.seen. */
void checker_see(struct checker *checker, struct chronological *execution);

/* After the last transition of an event: an atomic section in which its thread waits for ever ends there. */
void checker_end_section(struct checker *checker, struct chronological *execution, uint32_t thread);

/* Fills in checker.before. */
void checker_derive_order(struct checker *checker, struct chronological *execution);

#endif
