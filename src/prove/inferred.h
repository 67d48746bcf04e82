/* Inferred facts, found as Houdini finds them: begin with all candidates, drop those that a model refutes, until own
 * steps and steps of others preserve the rest.
 *
 * A candidate is about memory and one thread at a point (facts.h), or about two threads at two points: "never occupied
 * together", "this register of one differs from that of the other".  A fact about two threads mentions no memory, so a
 * step of a third changes nothing about it. */
#ifndef PICKET_PROVE_INFERRED_H
#define PICKET_PROVE_INFERRED_H

#include "prove/array.h"
#include "prove/questions.h"

struct refuted;
struct world;

enum fact_kind {
    FACT_PLACE,       /* place RELATION number */
    FACT_SELF,        /* place = the thread's number + 1, as locks have it */
    FACT_VALUE,       /* register RELATION number */
    FACT_AGAINST,     /* register RELATION place + number, which is 1, 0 or -1 */
    FACT_PLACES,      /* place RELATION second place */
    FACT_PARITY,      /* place modulo 2 is number */
    FACT_IF_EVEN,     /* place is even implies second place = other place */
    FACT_WHILE,       /* register = place implies second register = second place */
    FACT_IMPLIES,     /* place = number implies other place = other number */
    FACT_IF_VALUE,    /* register = place implies other place = other number */
    FACT_IF_EQUAL,    /* place = second place implies other place = other number */
    FACT_FIELD,       /* register points nowhere, or target RELATION number */
    FACT_POINTED,     /* place points nowhere, or target RELATION number */
    FACT_IF_FIELD,    /* register = place implies that the register points nowhere, or target RELATION number */
    FACT_BELOW_PLACE, /* every element of the array whose index is below place + number RELATION other number */
    FACT_BELOW_VALUE, /* the same below register + number */
};

/* A field of the objects that a register or a place may point to. */
struct fact_target {
    uint64_t offset;
    uint32_t size;
    struct value where;
};

struct fact_place {
    uint64_t address;
    uint32_t size;
    struct value where;
};

struct fact {
    enum fact_kind kind;
    bool dropped;
    uint8_t relation; /* enum predicate: EQ, NE, ULE, UGE; with a number also SLE, SGE */
    uint8_t size;     /* FACT_VALUE: of the register, in bytes */
    uint32_t class;
    uint32_t point; /* instruction */
    uint32_t place; /* among the places */
    uint32_t other;
    uint32_t second;
    uint32_t reg;
    uint32_t second_reg;
    uint32_t target;         /* among the targets */
    uint32_t array;          /* among the arrays */
    uint32_t first_stronger; /* facts that imply this one, among the stronger ones */
    uint32_t end_stronger;
    uint64_t number;
    uint64_t other_number;
};

/* Two points that are never occupied together by two threads, or at which two registers, plus 0 or 1, differ. */
struct fact_pair {
    bool dropped;
    bool differ; /* else: excluded */
    uint32_t class[2];
    uint32_t point[2];
    uint32_t reg[2];
    uint8_t plus[2];
};

/* Facts of one point, or pairs of two: those from `first` on, before `end`. */
struct fact_range {
    size_t first;
    size_t end;
    bool of_pairs;
    uint64_t dropped_at; /* when the last one was dropped, in the time of the inference; 0: never */
};

struct inferred {
    struct questions *questions;
    struct vector places;        /* of struct fact_place */
    struct vector targets;       /* of struct fact_target */
    struct vector arrays;        /* of struct array */
    struct vector elements;      /* of struct term: by array, the address of an element of which nothing is known */
    struct vector facts;         /* of struct fact, by class and point */
    struct vector pairs;         /* of struct fact_pair, by their classes and points */
    struct vector stronger;      /* of uint32_t: facts (weaker.h) */
    struct vector ranges;        /* of struct fact_range */
    bool complete;               /* no limit was reached */
    struct hash_table *range_of; /* a class and point, or two of each: index in `ranges`, plus 1 */
};

/* Makes candidates, without those in `refuted` (refuted.h), and drops what is false in some executions.  What is left
 * is only supposed to hold. */
void inferred_init(struct inferred *inferred, struct questions *questions, enum prove_seed seed,
                   const struct refuted *refuted);
void inferred_delete(struct inferred *inferred);

/* Drops until what is left holds.  If a limit is reached nothing is left. */
void inferred_prove(struct inferred *inferred, enum prove_seed seed);

/* Is the fact about a field? */
static inline bool fact_has_target(const struct fact *fact) {
    return fact->kind == FACT_FIELD || fact->kind == FACT_POINTED || fact->kind == FACT_IF_FIELD;
}

/* Is it about the elements of an array? */
static inline bool fact_has_array(const struct fact *fact) {
    return fact->kind == FACT_BELOW_PLACE || fact->kind == FACT_BELOW_VALUE;
}

/* Is it about a place? */
static inline bool fact_has_place(const struct fact *fact) {
    return fact->kind != FACT_VALUE && fact->kind != FACT_FIELD && fact->kind != FACT_BELOW_VALUE;
}

/* The facts of a point, and the pairs of two points in either order; NULL: there are none. */
struct fact_range *inferred_range(const struct inferred *inferred, uint32_t class, uint32_t point);
struct fact_range *inferred_pairs(const struct inferred *inferred, uint32_t class, uint32_t point, uint32_t other_class,
                                  uint32_t other_point);

/* A machine that runs the whole flat program under SC, and the class of each of its threads (observe.c). */
struct observation {
    struct machine *machine;
    struct vector classes; /* of uint32_t, by slot; NO_CLASS: it is not known */
    uint64_t taken;        /* steps */
};
void observation_init(struct observation *observation, struct machine *machine);
void observation_delete(struct observation *observation);

/* Takes a step, and notes the class of a thread that it creates. */
void observation_take(struct observation *observation, const struct system *system, struct transition next);

/* Drops what is false in the state that the machine is in, unless main has not come to its first thread or a thread is
 * in an atomic section; returns how many that are. */
size_t inferred_observe(struct inferred *inferred, const struct observation *observation);
/* The same for the states of some executions. */
void inferred_run(struct inferred *inferred);

/* --- Formulas (fact_formulas.c) ----------------------------------------------------------------------------------- */

/* What is left at a point, in memory as it is in `world`.  Each formula is added to `parts` (a set of ids), which may
 * be NULL. */
Z3_ast inferred_at(const struct inferred *inferred, struct instance *thread, const struct state *state,
                   struct world *world, uint32_t point, struct hash_table *parts);

/* What is left of two different threads at two points, in their states there or in the given ones. */
Z3_ast inferred_between(const struct inferred *inferred, struct instance *one, uint32_t point, struct instance *other,
                        uint32_t other_point);
Z3_ast inferred_between_states(const struct inferred *inferred, struct instance *one, const struct state *state,
                               uint32_t point, struct instance *other, const struct state *other_state,
                               uint32_t other_point);

/* A candidate as what has to be shown: one about all elements of an array is about one of which nothing is known. */
Z3_ast fact_goal(const struct inferred *inferred, const struct fact *fact, struct instance *thread,
                 const struct state *state, struct world *world);
Z3_ast pair_formula(const struct fact_pair *pair, struct instance *one, const struct state *state, uint32_t point,
                    struct instance *other, const struct state *other_state, uint32_t other_point);

/* --- Words (fact_words.c) ----------------------------------------------------------------------------------------- */

/* How many are left that no other one implies, and each in words; to be freed. */
size_t inferred_count(const struct inferred *inferred);
char *inferred_text(const struct inferred *inferred, size_t index);

#endif
