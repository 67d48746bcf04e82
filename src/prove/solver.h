/* Z3, loaded when a proof needs it.
 *
 * Terms are integers: a register of w bits is a number from 0 to 2^w - 1.  A term that is a known number is not given
 * to Z3 before it meets one that is not.  Free variables come with what is known of them (bounds); a question collects
 * the bounds of the variables that it mentions, and of no others.
 *
 * Terms live as long as the solver. */
#ifndef PICKET_PROVE_SOLVER_H
#define PICKET_PROVE_SOLVER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <z3.h>

#include "engine/limits.h"
#include "ir/instruction.h"
#include "util/vector.h"

struct term {
    Z3_ast ast;          /* NULL: the number */
    uint64_t number;     /* if known */
    unsigned bits;       /* if not: it is below 2^bits; 0 is 64 */
    Z3_ast whole;        /* an integer, maybe negative, that the term is modulo 2^whole_width; NULL: none is known */
    unsigned whole_bits; /* its absolute value is at most 2^whole_bits */
    unsigned whole_width;
};

struct answered;
struct z3;

struct solver {
    struct z3 *z3; /* the library's functions */
    Z3_context context;
    Z3_solver solver;
    Z3_sort integer;
    Z3_sort boolean;
    struct vector bounds;        /* of struct bound: what is known of free variables */
    struct hash_table *bound_of; /* number of an AST: number of its bound */
    struct hash_table *fresh_of; /* operation and operands: number of its variable */
    struct vector fresh;         /* of struct term */
    struct limits *limits;
    struct watchdog *watchdog;
    Z3_ast supposition;          /* what solver_suppose said; NULL: nothing */
    struct hash_table *supposed; /* ids of it that Z3 has; NULL: it has not been told yet */
    struct answered *answered;   /* questions that need not be asked again; may be NULL */
    const char *directory;       /* where every question is written, NULL: nowhere */
    uint64_t queries;
    uint64_t names;
    bool undecided; /* some question was not answered */
};

#define SOLVER_RESOURCES 60000u /* of one question, in Z3's own measure, which does not depend on the load */

/* NULL, or why there is no solver (a text that the caller does not own).  `answered` (answered.h) may be NULL. */
const char *solver_init(struct solver *solver, struct limits *limits, const char *directory, struct answered *answered);
void solver_delete(struct solver *solver);

/* How much a question may cost from now on. */
void solver_set_resources(struct solver *solver, unsigned resources);

static inline struct term term_number(uint64_t number) {
    return (struct term){.number = number};
}

static inline bool term_is_number(struct term term, uint64_t number) {
    return !term.ast && term.number == number;
}

static inline unsigned term_bits(struct term term) {
    return !term.ast ? 64 - (unsigned)__builtin_clzll(term.number | 1) : term.bits ? term.bits : 64;
}

static inline bool terms_same(struct term one, struct term other) {
    return one.ast == other.ast && (one.ast || one.number == other.number);
}

Z3_ast solver_ast(struct solver *solver, struct term term);
/* The same number for the same condition. */
unsigned solver_id(struct solver *solver, Z3_ast condition);

/* A new variable from low to high. */
struct term solver_variable(struct solver *solver, const char *name, uint64_t low, uint64_t high);
/* A new variable without bounds; solver_bound adds what is known of it. */
struct term solver_free(struct solver *solver, const char *name);
void solver_bound(struct solver *solver, struct term variable, Z3_ast known);
/* What is known of it; NULL: nothing. */
Z3_ast solver_known(const struct solver *solver, Z3_ast variable);

/* Conditions. */
Z3_ast solver_true(struct solver *solver);
Z3_ast solver_false(struct solver *solver);
Z3_ast solver_and(struct solver *solver, Z3_ast one, Z3_ast other);
Z3_ast solver_or(struct solver *solver, Z3_ast one, Z3_ast other);
Z3_ast solver_not(struct solver *solver, Z3_ast one);
Z3_ast solver_equal(struct solver *solver, struct term one, struct term other);
Z3_ast solver_same_truth(struct solver *solver, Z3_ast one, Z3_ast other);
Z3_ast solver_at_most(struct solver *solver, struct term one, struct term other);
bool solver_is_true(struct solver *solver, Z3_ast condition);
bool solver_is_false(struct solver *solver, Z3_ast condition);
struct term solver_choose(struct solver *solver, Z3_ast condition, struct term yes, struct term no);

/* Sums, without wrap-around. */
struct term solver_plus(struct solver *solver, struct term one, struct term other);
struct term solver_times(struct solver *solver, struct term one, uint64_t factor);
struct term solver_modulo(struct solver *solver, struct term one, unsigned bits); /* by 2^bits */
struct term solver_divided(struct solver *solver, struct term one, unsigned bits);

/* One of the `size` bytes of a term that has no more: a variable, so that no division is needed. */
struct term solver_byte(struct solver *solver, struct term term, unsigned size, unsigned index);

/* The result of an operation on registers, if it is one of ADD to TRUNC or SELECT; exact, or a fresh variable: always
 * the same one for the same operands. */
struct term solver_operation(struct solver *solver, const struct instruction *instruction, struct term a, struct term b,
                             struct term c);
Z3_ast solver_compare(struct solver *solver, enum predicate predicate, unsigned width, struct term a, struct term b);
/* A variable of `bits` bits that is the result number `result` of something that is not followed. */
struct term solver_unknown(struct solver *solver, uint32_t what, uint32_t result, struct term a, struct term b,
                           struct term c, unsigned bits);

enum answer { ANSWER_NO, ANSWER_YES, ANSWER_NONE };

/* Until solver_forget, each question is whether its condition and this one can hold together. */
void solver_suppose(struct solver *solver, Z3_ast condition);
void solver_forget(struct solver *solver);

/* Can the condition hold?  `name` is that of the file, if one is written.  After ANSWER_YES the model is there until
 * the next question. */
enum answer solver_ask(struct solver *solver, Z3_ast condition, const char *name);
/* Does the condition hold in the model? */
bool solver_holds(struct solver *solver, Z3_ast condition);
/* The value of a term in the model. */
uint64_t solver_value(struct solver *solver, struct term term);

#endif
