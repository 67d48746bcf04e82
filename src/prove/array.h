/* Arrays that threads access with an index, and what may be known of all their elements below a bound.
 *
 * No quantifier reaches the solver.  "All elements below a bound compare like this" is used at the elements that a
 * question reads (world.h), and shown of one element about which nothing else is known. */
#ifndef PICKET_PROVE_ARRAY_H
#define PICKET_PROVE_ARRAY_H

#include "prove/solver.h"
#include "prove/system.h"

#define LARGEST_BOUND INT32_MAX /* a larger number, unsigned, bounds nothing: it is a negative one, or no index */

struct array {
    uint64_t address; /* of the first element */
    uint64_t stride;
    uint64_t count;
    uint32_t object;
    uint32_t size;      /* of what is accessed of an element */
    struct value where; /* all of it */
};

/* Finds the arrays whose elements are always accessed as one word, as vector of struct array; at most `most`. */
void arrays_find(const struct system *system, struct vector *arrays, size_t most);

/* Is an access with this address and size one of at most one element, and of all of it, whenever it is in the array at
 * all? */
bool array_fits(const struct array *array, const struct value *where, unsigned size);

/* All elements whose index is below bound + plus compare like this with a number. */
struct element_fact {
    struct array array;
    struct term bound;
    uint64_t plus;
    uint8_t relation; /* enum predicate */
    uint64_t number;
};

/* What the fact says of the place at an address, with this content: nothing if that is no element below the bound. */
Z3_ast element_formula(struct solver *solver, const struct element_fact *fact, struct term address,
                       struct term content);

#endif
