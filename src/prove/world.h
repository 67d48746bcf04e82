/* Memory in one question: unknown at first, then written by steps.
 *
 * A question has a beginning, the content of memory that both orders of two steps start from, and a world for each
 * order.  Memory is read and written in units: a place that is always accessed as the same word is one unit, others are
 * units of a byte.  Two units are the same place if their addresses are equal; the data-flow analysis excludes that for
 * most, and the formula says so for the rest. */
#ifndef PICKET_PROVE_WORLD_H
#define PICKET_PROVE_WORLD_H

#include "prove/array.h"
#include "prove/instance.h"

struct unit {
    struct term address;
    struct value where; /* what the analysis knows of the address */
    uint32_t size;
};

struct beginning {
    struct system *system;
    struct solver *solver;
    struct vector places;   /* of struct place */
    struct vector elements; /* of struct element_fact: each holds of all elements that are read */
    Z3_ast known;           /* what is known of all that was read */
    bool hopeless;          /* an access whose target is not known: nothing can be proved */
    bool initial;           /* memory is as main leaves it before its first thread */
    /* If `base` is set, memory is that one's but for the bytes of the accesses `apart` (of struct access *). */
    struct beginning *base;
    const struct vector *apart;
};

struct place {
    struct unit unit;
    struct term value;
};

struct world {
    struct beginning *beginning;
    struct vector writes;       /* of struct write, in order */
    Z3_ast enabled;             /* all steps so far could be taken */
    Z3_ast failed;              /* one of them was an error */
    bool cas_succeeds;          /* seeded: failed compare-and-swaps do not count */
    bool checks;                /* accesses must hit living objects, and whatever else is an error counts */
    const struct term *failing; /* an abstracted read-modify-write leaves memory alone and returns this; NULL: it may */
    struct vector *watch;       /* of struct unit: receives what is read; may be NULL */
    struct vector failures;     /* of struct failure: the parts of `failed` */
};

/* Memory as an instruction of a thread has found it, once: unknown but for the facts that hold there. */
struct snapshot {
    struct beginning beginning;
    struct world world;
};

/* A step fails at this instruction under this condition. */
struct failure {
    Z3_ast condition;
    uint32_t index;
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

/* What is known of all elements of an array below a bound. */
void beginning_assume(struct beginning *beginning, const struct element_fact *fact);

/* What the model of the last question says of memory, in the program's names; to be freed. */
char *beginning_text(const struct beginning *beginning);

/* Adds a condition under which the step fails. */
void world_fail(struct world *world, Z3_ast condition, uint32_t index);

void world_init(struct world *world, struct beginning *beginning);
void world_delete(struct world *world);

/* The bytes at an address, up to 8; `where` is what the analysis knows of it. */
struct term world_read(struct world *world, struct term address, const struct value *where, unsigned size);
void world_write(struct world *world, Z3_ast guard, struct term address, const struct value *where, unsigned size,
                 struct term value);

/* The two worlds have the same content. */
Z3_ast worlds_equal(struct world *one, struct world *other);

#endif
