/* A label: which transition an event is and what it touches; all that is needed to say whether two events depend on
 * each other.
 *
 * An access is what an event does to memory itself: a drain writes, a load that is not served by the own buffer reads,
 * a buffered store touches nothing.  Operations on synchronisation objects are accesses of the object; those that only
 * look (a failed trylock, a failed compare-and-swap) read, and so do read-locks, which do not disturb each other. */
#ifndef PICKET_ENGINE_LABEL_H
#define PICKET_ENGINE_LABEL_H

#include <string.h>

#include "machine/machine.h"
#include "util/range.h"

#define MAX_ACCESSES 4

struct access {
    uint64_t address;
    uint32_t size;
    bool writes;
};

struct label {
    struct transition transition;
    uint64_t early;    /* a load served by the own buffer: the number of the store; access[0] is then what it will read
                        * from    memory once that store is drained */
    uint32_t accesses; /* how many; more than MAX_ACCESSES: it may touch anything */
    uint32_t ways;     /* that it had to go, if several, of which this one is transition.choice; see picks.h */
    struct access access[MAX_ACCESSES];
};

/* Adds an access; one of the same bytes is joined with it. */
void label_add(struct label *label, uint64_t address, uint64_t size, bool writes);

/* The accesses of a step, as machine_next or machine_last tells it, under a model with or without store buffers. */
void label_init(struct label *label, struct transition transition, const struct step *step, bool buffered);

/* Adds those of a further step, of an atomic section. */
void label_add_step(struct label *label, const struct step *step, bool buffered);

/* Adds that the step has joined a thread in an atomic section: it looks whether that has ended. */
void label_add_join(struct label *label, const struct step *step);

/* Most labels have at most one access. */
static inline void label_copy(struct label *to, const struct label *from) {
    memcpy(to, from, offsetof(struct label, access) + sizeof from->access[0]);
    if (from->accesses > 1) {
        memcpy(&to->access[1], &from->access[1], (MAX_ACCESSES - 1) * sizeof from->access[0]);
    }
}

static inline bool transitions_equal(struct transition one, struct transition other) {
    return one.thread == other.thread && one.kind == other.kind && one.choice == other.choice;
}

static inline bool accesses_overlap(const struct access *one, const struct access *other) {
    return ranges_overlap(one->address, one->size, other->address, other->size);
}

static inline bool label_writes(const struct label *label) {
    for (uint32_t i = 0; i < label->accesses && i < MAX_ACCESSES; i++) {
        if (label->access[i].writes) {
            return true;
        }
    }
    return label->accesses > MAX_ACCESSES;
}

/* Is the one the drain of the store that would have served the other, a load of the same thread, early? */
static inline bool label_serves(const struct label *drain, const struct label *load) {
    return load->early != 0 && drain->transition.kind == TRANSITION_DRAIN &&
           drain->transition.thread == load->transition.thread && drain->transition.choice == load->early;
}

/* The store that would have served the load early has drained: it reads memory. */
static inline void label_arrive(struct label *label) {
    label->early = 0;
    label->accesses = 1;
}

/* The label's event has not come yet and `passed` has. */
static inline void label_pass(struct label *label, const struct label *passed) {
    if (label_serves(passed, label)) {
        label_arrive(label);
    }
}

/* Does the order of two events that are both possible in the same state not matter? */
bool labels_independent(const struct label *one, const struct label *other, bool fifo);

#endif
