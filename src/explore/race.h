/* Reversing races: the label of the later event of a race without the earlier one, and the sequence that leads there
 * from the state before the earlier one.
 *
 * The sequence is all events between the two that do not happen after the earlier one, and then the later one.  Events
 * after the race are not part of it: they come in other orders and with other choices too, while the race is reversed
 * only once.  But an atomic section with other accesses may then come before or after events that came after it: its
 * races are reversed in every execution, with all its events. */
#ifndef PICKET_EXPLORE_RACE_H
#define PICKET_EXPLORE_RACE_H

#include "explore/chronological.h"

/* The later event of a race that is being reversed, or a step that is disabled at the end. */
struct reversal {
    uint32_t index; /* number of events for a disabled step */
    bool waits;     /* it had, or has, to wait */
    struct label label;
    uint32_t last_step; /* of its thread, before it */
    uint32_t last_drain;
    bool changes; /* without the earlier event it may access something else */
};

struct element {
    struct transition transition;
    const struct label *label;
    uint32_t index; /* the event */
};

/* The position of a thread in the execution from which the sequence is taken. */
struct passed_step {
    uint32_t thread;
    uint32_t index;
};

struct sequence {
    const struct chronological *chronological;
    struct reversal reversal; /* the last element */
    uint32_t earlier;         /* the event that the sequence delays */
    uint32_t end;             /* events from here on are not in the sequence */
    struct vector passed;     /* of struct passed_step: removed elements, if the program has choices */
    struct vector elements;   /* of struct element */
    struct vector copies;     /* of struct label *: labels that have changed since */
    struct vector marks;      /* of bool: by element */
    struct vector past;       /* of uint64_t: scratch, a row of events */
};

void sequence_init(struct sequence *sequence, const struct chronological *chronological);
void sequence_delete(struct sequence *sequence);

/* A copy that can be changed; the original must outlive it. */
void sequence_copy(struct sequence *copy, const struct sequence *sequence);

static inline const struct label *sequence_label(const struct sequence *sequence, size_t index) {
    return ((const struct element *)sequence->elements.data)[index].label;
}

/* The later event of a race without the earlier one.  `index` is below race_alternatives. */
void race_reverse(const struct chronological *chronological, const struct race *race, uint32_t index, uint32_t later,
                  struct reversal *reversal);

static inline uint32_t race_alternatives(const struct race *race) {
    return race->labels ? race->labels : 1;
}

void sequence_make(struct sequence *sequence, uint32_t earlier, const struct reversal *reversal);

/* Is the transition a weak initial of the sequence: could it come first?  If it is element i, sets *index to i; if it
 * is no element and independent of all elements, sets *index to their number. */
bool sequence_weak_initial(const struct sequence *sequence, const struct label *label, size_t *index);

/* The transition is a weak initial, but no element.  Does the sequence leave open which choice the thread takes?  Then
 * this transition covers only the executions with its choice. */
bool sequence_leaves_open(const struct sequence *sequence, const struct label *label);

/* Removes the transition, a weak initial, which has been taken. */
void sequence_take_out(struct sequence *sequence, size_t index, const struct label *label);

/* Marks the last element and the elements that it needs; then, for a transition in the sleep set, an element that wakes
 * it and the elements which that needs.  False if no element wakes it. */
void sequence_mark_last(struct sequence *sequence);
bool sequence_mark_waker(struct sequence *sequence, const struct label *asleep);
void sequence_keep_marked(struct sequence *sequence);

#endif
