/* Literals and gates: the propositional layer.
 *
 * A literal is a variable number, negative if negated; variable 1 is constant true.  A gate defines a variable by its
 * operands; equal gates are one (hash-consed), and trivial ones are folded.  Clauses of a gate reach the solver only
 * when something that the solver has been given depends on it: what no constraint needs costs nothing there. */
#ifndef PICKET_SEQ_GATES_H
#define PICKET_SEQ_GATES_H

#include <stdbool.h>
#include <stdint.h>

#include "util/vector.h"

typedef int32_t literal;
#define LITERAL_TRUE 1
#define LITERAL_FALSE (-1)

struct CCaDiCaL;

#define MOST_SOLVERS 2

enum gate_kind { GATE_FREE, GATE_AND, GATE_XOR, GATE_MUX, GATE_MAJORITY };

struct gate {
    uint8_t kind;  /* enum gate_kind */
    uint8_t given; /* a bit per solver: it has its clauses */
    literal a;     /* FREE: 0, or the number of its definition */
    literal b;
    literal c;
};

struct gates {
    struct vector gates; /* of struct gate, by variable; 0 and 1 are not used */
    uint32_t *table;     /* hash table of variables, 0: empty */
    size_t table_size;
    struct vector definitions; /* of struct definition: constraints that come with free variables */
    struct vector definition_literals;
    struct vector stack;
    struct CCaDiCaL *solver; /* the solver in use: solvers[selected] */
    struct CCaDiCaL *solvers[MOST_SOLVERS];
    unsigned selected;
    uint64_t variables; /* that the solvers were given, all together */
    uint64_t clauses;
};

void gates_init(struct gates *gates);
void gates_delete(struct gates *gates);

/* Two encodings of the same terms have a solver each: from now on the functions below mean this one (at first 0). */
void gates_select(struct gates *gates, unsigned solver);

literal gates_free(struct gates *gates);
literal gates_and(struct gates *gates, literal a, literal b);
literal gates_xor(struct gates *gates, literal a, literal b);
literal gates_mux(struct gates *gates, literal c, literal a, literal b); /* c ? a : b */
literal gates_majority(struct gates *gates, literal a, literal b, literal c);

static inline literal gates_or(struct gates *gates, literal a, literal b) {
    return -gates_and(gates, -a, -b);
}

static inline literal gates_equal(struct gates *gates, literal a, literal b) {
    return -gates_xor(gates, a, b);
}

/* Is the disjunction of the two something that exists already (so merging two paths restores their common guard)? */
bool gates_or_folds(const struct gates *gates, literal a, literal b, literal *result);

/* Does a imply b, as far as the gates show within a few steps? */
bool gates_implies(const struct gates *gates, literal a, literal b);

/* These literals define the free variables from `first` on: if one of the variables is needed, all of the literals are
 * asserted.  They must be satisfiable whatever the values of other variables are. */
void gates_define(struct gates *gates, literal first, const literal *asserted, size_t count);

/* Adds a clause, and what its literals depend on. */
void gates_clause(struct gates *gates, const literal *literals, size_t count);
void gates_clause_2(struct gates *gates, literal a, literal b);
void gates_clause_3(struct gates *gates, literal a, literal b, literal c);
void gates_clause_4(struct gates *gates, literal a, literal b, literal c, literal d);

/* Gives the solver everything on which the literal depends. */
void gates_need(struct gates *gates, literal needed);

/* The value in the model; a variable that the solver has never seen is computed from its operands, or false. */
bool gates_value(struct gates *gates, literal at);

#endif
