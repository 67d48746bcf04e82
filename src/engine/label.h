/* A label: the transition of an event and its accesses; all that is needed to decide whether two events are
 * independent.
 *
 * An access is one to memory itself: a drain writes, a load that the own buffer does not serve reads, a buffered store
 * has no access.  The accesses of an operation on a synchronisation object or thread are those of its effect
 * (machine.h). Adds of the same bytes are independent. */
#ifndef PICKET_ENGINE_LABEL_H
#define PICKET_ENGINE_LABEL_H

#include <string.h>

#include "machine/machine.h"
#include "util/hash_table.h"
#include "util/range.h"

#define OWN_ACCESSES 4

struct access {
    uint64_t address;
    uint32_t size;
    bool reads;
    bool writes;
    bool adds;
    uint8_t unused; /* accesses are compared as bytes */
};

struct label {
    struct transition transition;
    uint64_t early;    /* a load served by the own buffer: the number of the store; access[0] is then what it reads from
                          memory when that store has drained */
    uint32_t accesses; /* number */
    uint32_t choices;  /* number of its choices, if several, of which this one is transition.choice; picks.h */
    const struct access *more; /* accesses beyond OWN_ACCESSES; of an access_lists, which outlives the label */
    struct access access[OWN_ACCESSES];
};

/* The lists of accesses of labels with many: each different list once. */
struct access_lists {
    struct hash_table *lists; /* list -> pointer */
    struct vector building;   /* of struct access: of the label that is being made */
};

void access_lists_init(struct access_lists *lists);
void access_lists_delete(struct access_lists *lists);

static inline const struct access *label_access(const struct label *label, uint32_t index) {
    return index < OWN_ACCESSES ? &label->access[index] : &label->more[index - OWN_ACCESSES];
}

/* Adds an access; merges it with one of the same bytes. */
void label_add(struct label *label, struct access_lists *lists, struct access access);

/* The accesses of a step, as machine_next or machine_last describes it, under a model with or without store buffers. */
void label_init(struct label *label, struct access_lists *lists, struct transition transition, const struct step *step,
                bool buffered);

/* Adds the accesses of a further step, of an atomic section. */
void label_add_step(struct label *label, struct access_lists *lists, const struct step *step, bool buffered);

/* Sets the accesses to those of an effect. */
void label_set_effect(struct label *label, struct access_lists *lists, const struct effect *effect);

/* Most labels have at most one access. */
static inline void label_copy(struct label *to, const struct label *from) {
    memcpy(to, from, offsetof(struct label, access) + sizeof from->access[0]);
    if (from->accesses > 1) {
        memcpy(&to->access[1], &from->access[1], (OWN_ACCESSES - 1) * sizeof from->access[0]);
    }
}

static inline bool transitions_equal(struct transition one, struct transition other) {
    return one.thread == other.thread && one.kind == other.kind && one.choice == other.choice;
}

static inline bool access_changes(const struct access *access) {
    return access->writes || access->adds;
}

static inline bool accesses_overlap(const struct access *one, const struct access *other) {
    return ranges_overlap(one->address, one->size, other->address, other->size);
}

/* Does the order of two accesses matter? */
static inline bool accesses_conflict(const struct access *one, const struct access *other) {
    bool order = one->writes || other->writes || one->adds != other->adds;
    return order && accesses_overlap(one, other);
}

/* Does the label write or add something? */
static inline bool label_changes(const struct label *label) {
    for (uint32_t i = 0; i < label->accesses; i++) {
        if (access_changes(label_access(label, i))) {
            return true;
        }
    }
    return false;
}

/* Do the labels access the same bytes in the same way? */
bool labels_touch_alike(const struct label *one, const struct label *other);

/* Is `drain` the drain of the store that would have served the other label, a load of the same thread, early? */
static inline bool label_serves(const struct label *drain, const struct label *load) {
    return load->early != 0 && drain->transition.kind == TRANSITION_DRAIN &&
           drain->transition.thread == load->transition.thread && drain->transition.choice == load->early;
}

/* The store that would have served the load early has drained: the load now reads memory. */
static inline void label_arrive(struct label *label) {
    label->early = 0;
    label->accesses = 1;
}

/* Are two events independent: does their order not matter, if both are enabled in the same state? */
bool labels_independent(const struct label *one, const struct label *other, bool fifo);

#endif
