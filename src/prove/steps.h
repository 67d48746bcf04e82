/* Steps of threads that others can notice, and pairs of a store and a later load that may pass it.
 *
 * A step is one access outside of atomic sections, an operation on a lock, the end of an object, or a whole section. */
#ifndef PICKET_PROVE_STEPS_H
#define PICKET_PROVE_STEPS_H

#include "prove/seed.h"
#include "prove/system.h"

struct step_site {
    uint32_t class;
    uint32_t index; /* the instruction; of a section, its ATOMIC_BEGIN */
    bool section;
    bool ends;              /* it may end an object that others know */
    struct vector accesses; /* of const struct access *: what it accesses that is not private */
};

struct pair {
    uint32_t class;
    uint32_t store; /* instruction: a STORE, or the end of an object */
    uint32_t load;
};

struct steps {
    struct system *system;
    struct vector steps; /* of struct step_site */
    struct vector pairs; /* of struct pair, by class and load */
};

/* Finds both; sections that cannot be done make the system refuse. */
void prove_steps_init(struct steps *steps, struct system *system, enum prove_seed seed);
void prove_steps_delete(struct steps *steps);

static inline const struct step_site *step_of(const struct steps *steps, size_t index) {
    return vector_at(&steps->steps, index);
}

/* Can an access and a step have a byte in common?  With `writes` only what the step may write counts. */
bool step_overlaps(const struct steps *steps, const struct step_site *step, const struct access *access, bool writes);

#endif
