/* Memory in one question: unknown at first, then written by steps.
 *
 * A question has a beginning, the content of memory that both orders of two steps start from, and a world for each
 * order.  Memory is read and written in units: a place that is always accessed as the same word is one unit, others are
 * units of a byte.  Two units are the same place if their addresses are equal; the data-flow analysis excludes that for
 * most, and the formula says so for the rest. */
#ifndef PICKET_PROVE_WORLD_H
#define PICKET_PROVE_WORLD_H

#include "prove/instance.h"

struct unit {
    struct term address;
    struct value where; /* what the analysis knows of the address */
    uint32_t size;
};

struct beginning {
    struct system *system;
    struct solver *solver;
    struct vector places; /* of struct place */
    Z3_ast known;         /* what is known of all that was read */
    bool hopeless;        /* an access whose target is not known: nothing can be proved */
};

struct place {
    struct unit unit;
    struct term value;
};

struct world {
    struct beginning *beginning;
    struct vector writes; /* of struct write, in order */
    Z3_ast enabled;       /* all steps so far could be taken */
    Z3_ast failed;        /* one of them was an error */
    bool cas_succeeds;    /* seeded: failed compare-and-swaps do not count */
};

struct write {
    struct unit unit;
    Z3_ast guard;
    struct term value;
};

void beginning_init(struct beginning *beginning, struct system *system, struct solver *solver);
void beginning_delete(struct beginning *beginning);
/* What the thread knows of its owned cells in this state holds at the beginning, but not for the bytes of the given
 * accesses (struct access *). */
void beginning_know(struct beginning *beginning, const struct instance *thread, const struct state *state,
                    const struct vector *without);

void world_init(struct world *world, struct beginning *beginning);
void world_delete(struct world *world);

/* The bytes at an address, up to 8; `where` is what the analysis knows of it. */
struct term world_read(struct world *world, struct term address, const struct value *where, unsigned size);
void world_write(struct world *world, Z3_ast guard, struct term address, const struct value *where, unsigned size,
                 struct term value);

/* The two worlds have the same content. */
Z3_ast worlds_equal(struct world *one, struct world *other);

#endif
