/* Races turned around: what the later event of a race becomes when the earlier one is gone, and the sequence that leads
 * there from the state before the earlier one.
 *
 * The sequence is everything between the two that does not happen after the earlier one, and then the later one.  What
 * comes behind the race is left open: it comes in other orders and ways too, and the race is turned around only once.
 * But an atomic section that may touch other things then may come before or behind what came behind it: its races are
 * turned around in every execution, with all of it. */
#ifndef PICKET_EXPLORE_RACE_H
#define PICKET_EXPLORE_RACE_H

#include "explore/chronological.h"

/* The later event of a race that is being turned around, or a pending step. */
struct turned {
    uint32_t index; /* number of events for a pending step */
    bool waits;     /* it had, or has, to wait */
    struct label label;
    uint32_t last_step; /* of its thread, before it */
    uint32_t last_drain;
    bool changes; /* it may touch something else when the earlier event is gone */
};

struct element {
    struct transition transition;
    const struct label *label;
    uint32_t index; /* which event it is */
};

/* How far a thread has come in the execution of which the sequence is a part. */
struct passed_step {
    uint32_t thread;
    uint32_t index;
};

struct sequence {
    const struct chronological *chronological;
    struct turned turned;   /* the last element */
    uint32_t earlier;       /* the event that it delays */
    uint32_t end;           /* what comes from here on is left open */
    struct vector passed;   /* of struct passed_step: what was taken out, if the program chooses */
    struct vector elements; /* of struct element */
    struct vector copies;   /* of struct label *: of those that changed on the way */
    struct vector marks;    /* of bool: by element */
    struct vector past;     /* of uint64_t: scratch, a row of events */
};

void sequence_init(struct sequence *sequence, const struct chronological *chronological);
void sequence_delete(struct sequence *sequence);

/* A copy that goes a way of its own; the original must outlive it. */
void sequence_copy(struct sequence *copy, const struct sequence *sequence);

static inline const struct label *sequence_label(const struct sequence *sequence, size_t place) {
    return ((const struct element *)sequence->elements.data)[place].label;
}

/* What the later event becomes without the earlier one of its race: alternative `index` of as many as race_alternatives
 * says. */
void race_turn(const struct chronological *chronological, const struct race *race, uint32_t index, uint32_t later,
               struct turned *turned);

static inline uint32_t race_alternatives(const struct race *race) {
    return race->labels ? race->labels : 1;
}

void sequence_make(struct sequence *sequence, uint32_t earlier, const struct turned *turned);

/* Is the transition a weak initial of the sequence: could it come first?  If it is element i of it, *place = i; if it
 * is none of them but disturbs none, *place is their number. */
bool sequence_weak_initial(const struct sequence *sequence, const struct label *label, size_t *place);

/* The transition is a weak initial, but none of the sequence's.  Does the sequence leave open which way the thread
 * goes? Then this one covers only what goes its way. */
bool sequence_leaves_open(const struct sequence *sequence, const struct label *label);

/* The transition, a weak initial, has come. */
void sequence_take_out(struct sequence *sequence, size_t place, const struct label *label);

/* Marks the last element and what it needs; then, for something asleep, an element that wakes it and what that needs.
 * False if nothing wakes it. */
void sequence_mark_last(struct sequence *sequence);
bool sequence_mark_waker(struct sequence *sequence, const struct label *asleep);
void sequence_keep_marked(struct sequence *sequence);

#endif
